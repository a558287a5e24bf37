import type { ReactNode } from 'react'
import { Form } from 'react-router'
import { Button } from '#web/ui/Button.tsx'
import { TwoHearths } from '#web/ui/illustrations/TwoHearths.tsx'
import { PlaceField, RadiusSelect } from '#web/ui/PlaceField.tsx'
import { SegmentedToggle } from '#web/ui/SegmentedToggle.tsx'

/** What this is, and the one thing to do first: say whether one knows what one is looking for. A plain form, so it goes on without JavaScript. */
export function Hero({ level, sentence }: { level: 1 | 2; sentence: ReactNode }) {
  const Title = `h${level}` as const
  return (
    <section className="page grid grid-cols-1 items-center gap-x-12 gap-y-8 pt-8 pb-10 sm:pt-12 lg:grid-cols-[1.05fr_1fr] lg:pt-14 lg:pb-14">
      <div className="flex flex-col gap-6">
        <div>
          <Title className="text-4xl">Someone to talk to, when you are ready</Title>
          <p className="mt-4 max-w-xl text-lg text-soft">
            Vetted therapists and psychiatrists, online or near you. See who is free and what it costs.
            Looking is free and needs no account.
          </p>
        </div>
        <div className="max-w-md rounded-xl border border-line bg-surface p-5 shadow-mid sm:p-6">
          <Form action="/find-therapist" className="group/start flex flex-col gap-4">
            <SegmentedToggle
              label="Do you know what you are looking for?"
              name="filterType"
              defaultValue="know"
              options={[
                { value: 'need', label: 'I need assistance' },
                { value: 'know', label: 'I know' },
              ]}
            />
            <p className="hidden text-sm text-soft group-has-[[value=need]:checked]/start:block">
              Answer a few questions, and we suggest a kind of therapy and people who offer it.
            </p>
            <p className="text-sm text-soft group-has-[[value=need]:checked]/start:hidden">
              Choose by issue, language, therapy or name.
            </p>
            <Button type="submit" fullWidth>
              Next step
            </Button>
          </Form>
          <Form action="/found-therapists" className="mt-5 border-t border-line pt-4">
            <p className="font-semibold">Or meet in person</p>
            <div className="mt-2 grid grid-cols-2 items-end gap-3">
              <PlaceField
                label="Near"
                name="near"
                maxLength={60}
                placeholder="Town or postcode"
                required
                className="col-span-2"
              />
              <RadiusSelect name="within" />
              <Button type="submit" variant="secondary">
                Search
              </Button>
            </div>
          </Form>
        </div>
        <div className="max-w-md">{sentence}</div>
      </div>
      <TwoHearths className="mx-auto w-full max-w-md lg:max-w-none" />
    </section>
  )
}
