import { fingerprintBytes, fingerprintIn } from './verification-words.ts'
import type { Statistic } from './weak-network.ts'

/** Of an own certificate: from itself, or from the description that a connection with it makes. */
export async function fingerprintOf(certificate: RTCCertificate): Promise<string> {
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- not every browser has it
  const known = certificate.getFingerprints?.().find(({ algorithm }) => algorithm === 'sha-256')?.value
  if (known) return known
  const probe = new RTCPeerConnection({ certificates: [certificate] })
  probe.createDataChannel('')
  const { sdp } = await probe.createOffer()
  probe.close()
  return fingerprintIn(sdp ?? '') ?? ''
}

/**
 * Of the certificate at the other end, as the connection itself knows it: from its statistics, or from its transport where
 * the browser leaves certificates out of them. Undefined if it has neither.
 */
export async function remoteFingerprint(
  connection: RTCPeerConnection,
  report: Map<string, Statistic>,
): Promise<Uint8Array | undefined> {
  for (const each of report.values()) {
    if (each.type !== 'transport' || typeof each.remoteCertificateId !== 'string') continue
    const certificate = report.get(each.remoteCertificateId)
    if (certificate?.fingerprintAlgorithm === 'sha-256' && typeof certificate.fingerprint === 'string') {
      return fingerprintBytes(certificate.fingerprint)
    }
  }
  const transport = connection.getReceivers()[0]?.transport
  // oxlint-disable-next-line typescript/no-unnecessary-condition -- not every browser has it
  const [certificate] = transport?.getRemoteCertificates?.() ?? []
  return certificate && new Uint8Array(await crypto.subtle.digest('SHA-256', certificate))
}
