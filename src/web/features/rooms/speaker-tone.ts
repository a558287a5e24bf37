/** Plays a soft tone of a second on a speaker. @throws if the browser does not let it */
export async function playTone(speakerId: string | undefined): Promise<void> {
  const context = new AudioContext()
  const output = context.createMediaStreamDestination()
  const gain = context.createGain()
  gain.gain.setValueAtTime(0, context.currentTime)
  gain.gain.linearRampToValueAtTime(0.15, context.currentTime + 0.1)
  gain.gain.linearRampToValueAtTime(0, context.currentTime + 1)
  gain.connect(output)
  const tone = context.createOscillator()
  tone.frequency.value = 440
  tone.connect(gain)
  const audio = new Audio() as HTMLAudioElement & { setSinkId?(id: string): Promise<void> }
  audio.srcObject = output.stream
  if (speakerId) await audio.setSinkId?.(speakerId).catch(() => undefined)
  tone.start()
  tone.stop(context.currentTime + 1)
  try {
    await audio.play()
    await new Promise((resolve) => tone.addEventListener('ended', resolve))
  } finally {
    audio.srcObject = null
    await context.close()
  }
}
