import { useState } from 'react'
import { isStandalone } from '#web/lib/standalone.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Select } from '#web/ui/Select.tsx'
import { helpFor, shownBy } from './media-problems.ts'
import type { Device, OwnMedia } from './own-media.ts'
import { playTone } from './speaker-tone.ts'
import { useStore } from './store.ts'
import { useLevel } from './use-level.ts'

/** The choice of microphone, camera and speaker, with what is needed to know that they work. */
export function DevicePicker({ media }: { media: OwnMedia }) {
  const { microphones, cameras, speakers, microphoneId, cameraId, speakerId, microphone } = useStore(
    media.store,
  )
  return (
    <div className="grid gap-4">
      <div className="grid gap-2">
        <DeviceSelect
          label="Microphone"
          devices={microphones}
          value={microphoneId}
          onChoose={(id) => void media.choose('microphone', id)}
        />
        {microphone && <LevelMeter track={microphone} />}
      </div>
      <DeviceSelect
        label="Camera"
        devices={cameras}
        value={cameraId}
        onChoose={(id) => void media.choose('camera', id)}
      />
      <div className="grid gap-2">
        {speakers.length > 1 && (
          <DeviceSelect
            label="Speaker"
            devices={speakers}
            value={speakerId}
            onChoose={(id) => media.chooseSpeaker(id)}
          />
        )}
        <ToneButton speakerId={speakerId} />
      </div>
    </div>
  )
}

type SelectProps = {
  label: string
  devices: readonly Device[]
  value: string | undefined
  onChoose(id: string): void
}

function DeviceSelect({ label, devices, value, onChoose }: SelectProps) {
  if (devices.length === 0) return null
  return (
    <Select
      label={label}
      value={value ?? devices[0]?.id}
      onChange={(event) => onChoose(event.target.value)}
      options={devices.map((device) => ({ value: device.id, label: device.label }))}
    />
  )
}

function LevelMeter({ track }: { track: MediaStreamTrack }) {
  const level = useLevel(track)
  const percent = Math.round(level * 100)
  return (
    <div className="flex items-center gap-3">
      <span className="text-sm text-soft" id="level-name">
        Say something
      </span>
      <div
        role="meter"
        aria-labelledby="level-name"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        className="h-2.5 grow overflow-hidden rounded-full border border-edge bg-sunken"
      >
        <div className="h-full bg-action forced-colors:bg-[Highlight]" style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}

function ToneButton({ speakerId }: { speakerId: string | undefined }) {
  const [state, setState] = useState<'idle' | 'playing' | 'played' | 'failed'>('idle')
  const play = () => {
    setState('playing')
    playTone(speakerId).then(
      () => setState('played'),
      () => setState('failed'),
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button variant="secondary" size="small" onPress={play} isDisabled={state === 'playing'}>
        Play a tone
      </Button>
      <output className="text-sm text-soft">
        {state === 'played' && 'No tone? Turn the sound up or choose another speaker.'}
        {state === 'failed' && 'Your browser did not play the tone.'}
      </output>
    </div>
  )
}

/** What is wrong with microphone and camera, if anything, and a button that tries again. */
export function MediaProblems({ media }: { media: OwnMedia }) {
  const { microphoneProblem, cameraProblem, isAsking, isCameraOn } = useStore(media.store)
  return (
    <>
      {(['microphone', 'camera'] as const).map((device) => {
        const problem = device === 'camera' ? isCameraOn && cameraProblem : microphoneProblem
        if (!problem) return null
        const { title, text } = helpFor(device, problem, shownBy(navigator.userAgent, isStandalone()))
        return (
          <Alert
            key={device}
            tone="warning"
            live="polite"
            title={title}
            actions={
              problem !== 'kept' && (
                <Button
                  variant="secondary"
                  size="small"
                  isPending={isAsking}
                  onPress={() => void media.retry(device)}
                >
                  Try the {device} again
                </Button>
              )
            }
          >
            {text}
          </Alert>
        )
      })}
    </>
  )
}
