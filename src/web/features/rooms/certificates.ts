import { fingerprintIn } from './verification-words.ts'
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

/** Of the certificate at the other end, as the connection itself knows it. */
export async function remoteFingerprint(connection: RTCPeerConnection): Promise<string | undefined> {
  const report = (await connection.getStats()) as unknown as Map<string, Statistic>
  for (const each of report.values()) {
    if (each.type !== 'transport' || typeof each.remoteCertificateId !== 'string') continue
    const certificate = report.get(each.remoteCertificateId)
    if (certificate?.fingerprintAlgorithm === 'sha-256' && typeof certificate.fingerprint === 'string') {
      return certificate.fingerprint
    }
  }
  return undefined
}
