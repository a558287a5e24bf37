import { Label } from 'react-aria-components/Label'
import { Slider as AriaSlider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components/Slider'
import { BritishEnglish } from './BritishEnglish.tsx'
import { classes } from './classes.ts'

export type RangeSliderProps = {
  label: string
  min: number
  max: number
  step?: number
  /** Low and high end. */
  value: readonly [number, number]
  onChange?(value: [number, number]): void
  /** Once let go: the moment to search. */
  onChangeEnd?(value: [number, number]): void
  format(value: number): string
  /** Layout only. */
  className?: string
}

/** Two ends of a range. Where the range is sent with a plain form, put two number fields beside it. */
export function RangeSlider({
  label,
  min,
  max,
  step = 1,
  value,
  onChange,
  onChangeEnd,
  format,
  className,
}: RangeSliderProps) {
  return (
    <BritishEnglish>
      <AriaSlider
        minValue={min}
        maxValue={max}
        step={step}
        value={[...value]}
        onChange={(next) => onChange?.(next as [number, number])}
        onChangeEnd={(next) => onChangeEnd?.(next as [number, number])}
        className={classes('flex flex-col', className)}
      >
        <SliderHead label={label} format={format} />
        <SliderBody labels={['Lowest', 'Highest']} format={format} />
      </AriaSlider>
    </BritishEnglish>
  )
}

export type SliderProps = Omit<RangeSliderProps, 'value' | 'onChange' | 'onChangeEnd'> & {
  value: number
  onChange(value: number): void
}

/** One amount within bounds. */
export function Slider({ label, min, max, step = 1, value, onChange, format, className }: SliderProps) {
  return (
    <BritishEnglish>
      <AriaSlider
        minValue={min}
        maxValue={max}
        step={step}
        value={value}
        onChange={(next) => onChange(next)}
        className={classes('flex flex-col', className)}
      >
        <SliderHead label={label} format={format} />
        <SliderBody labels={[label]} format={format} />
      </AriaSlider>
    </BritishEnglish>
  )
}

function SliderHead({ label, format }: Pick<SliderProps, 'label' | 'format'>) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <Label className="font-semibold">{label}</Label>
      <SliderOutput className="text-sm text-soft tabular-nums">
        {({ state }) => state.values.map((end) => format(end)).join(' to ')}
      </SliderOutput>
    </div>
  )
}

function SliderBody({ labels, format }: { labels: string[]; format(value: number): string }) {
  return (
    <SliderTrack className="relative mx-3 h-11">
      {({ state }) => {
        const from = labels.length > 1 ? state.getThumbPercent(0) : 0
        const to = state.getThumbPercent(labels.length - 1)
        return (
          <>
            <div className="absolute inset-x-0 top-1/2 h-1.5 -translate-y-1/2 rounded-full border border-edge bg-sunken" />
            <div
              className="absolute top-1/2 h-1.5 -translate-y-1/2 rounded-full bg-action forced-colors:bg-[Highlight]"
              style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
            />
            {labels.map((label, at) => (
              <SliderThumb
                key={label}
                index={at}
                aria-label={label}
                aria-valuetext={format(state.values[at] ?? 0)}
                className="top-1/2 size-7 rounded-full border-2 border-action bg-raised shadow-low transition-shadow data-dragging:shadow-mid data-focus-visible:outline-3 data-focus-visible:outline-offset-2 data-focus-visible:outline-focus"
              />
            ))}
          </>
        )
      }}
    </SliderTrack>
  )
}
