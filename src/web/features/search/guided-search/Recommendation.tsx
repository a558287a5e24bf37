import type { ReactNode } from 'react'
import type { RecommendedTherapy } from '#contract/search.ts'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'

type Props = {
  therapy: RecommendedTherapy
  /** The list of those who offer it. */
  resultsPath: string
  backPath: string
  /** A few who offer it. */
  fitting: ReactNode
  onStartAgain(): void
}

/** The suggested kind of therapy, and why; a few who offer it, then the way to all of them. */
export function Recommendation({ therapy, resultsPath, backPath, fitting, onStartAgain }: Props) {
  return (
    <div className="flex flex-col gap-10">
      <div className="grid grid-cols-1 items-center gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <img src={therapy.image} alt="" width={400} height={300} className="w-40 lg:order-2 lg:w-full" />
        <div className="flex flex-col gap-5">
          <div>
            <p className="font-semibold text-action">We suggest</p>
            <h1 className="mt-1 text-3xl sm:text-4xl">{therapy.therapy_type_name}</h1>
          </div>
          <p className="rounded-lg bg-action-soft p-4 text-on-action-soft">{therapy.reason}</p>
          <p className="text-lg text-soft">{therapy.therapy_type_description}</p>
        </div>
      </div>
      {fitting}
      <div className="flex max-w-2xl flex-col gap-5">
        <div className="flex flex-col gap-3 sm:flex-row">
          <ButtonLink to={resultsPath}>Find my Therapist</ButtonLink>
          <ButtonLink to={backPath} variant="secondary">
            Back to my answers
          </ButtonLink>
        </div>
        <p className="text-sm text-soft">
          This is a suggestion from a few answers, not a diagnosis. A first session will show whether it fits,
          and you can change your mind at any time.{' '}
          <TextLink to="/find-therapist?filterType=need" onClick={onStartAgain}>
            Start again
          </TextLink>
        </p>
      </div>
    </div>
  )
}
