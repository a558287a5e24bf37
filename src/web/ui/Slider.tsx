import { Label } from 'react-aria-components/Label'
import { Slider as AriaSlider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components/Slider'
import { BritishEnglish } from './BritishEnglish.tsx'

export type SliderProps = {
  label: string
  min: number
  max: number
  step: number
  value: number
  onChange(value: number): void
  /** The amount in words. */
  text: string
}

/** One amount within bounds. */
export function Slider({ label, min, max, step, value, onChange, text }: SliderProps) {
  return (
    <BritishEnglish>
      <AriaSlider
        minValue={min}
        maxValue={max}
        step={step}
        value={value}
        onChange={(next) => onChange(next)}
        className="flex flex-col"
      >
        <div className="flex items-baseline justify-between gap-4">
          <Label className="font-semibold">{label}</Label>
          <SliderOutput className="text-sm text-soft tabular-nums">{text}</SliderOutput>
        </div>
        <SliderTrack className="relative mx-3 h-11">
          {({ state }) => (
            <>
              <div className="absolute inset-x-0 top-1/2 h-1.5 -translate-y-1/2 rounded-full border border-edge bg-sunken" />
              <div
                className="absolute top-1/2 h-1.5 -translate-y-1/2 rounded-full bg-action forced-colors:bg-[Highlight]"
                style={{ left: 0, width: `${state.getThumbPercent(0) * 100}%` }}
              />
              <SliderThumb
                aria-label={label}
                aria-valuetext={text}
                className="top-1/2 size-7 rounded-full border-2 border-action bg-raised shadow-low transition-shadow data-dragging:shadow-mid data-focus-visible:outline-3 data-focus-visible:outline-offset-2 data-focus-visible:outline-focus"
              />
            </>
          )}
        </SliderTrack>
      </AriaSlider>
    </BritishEnglish>
  )
}
