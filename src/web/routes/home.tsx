import { HelpRightNow } from '#web/features/home/HelpRightNow.tsx'
import { Hero } from '#web/features/home/Hero.tsx'
import { HowItWorks } from '#web/features/home/HowItWorks.tsx'
import { ForPractitioners, LastWord } from '#web/features/home/LastWord.tsx'
import { Promises } from '#web/features/home/Promises.tsx'
import { WhoYouCanTalkTo } from '#web/features/home/WhoYouCanTalkTo.tsx'
import { isOpen } from '#web/lib/site.ts'

export const meta = () => [
  { title: 'Hearth – find somebody to talk to' },
  {
    name: 'description',
    content:
      'Find and book a vetted therapist or psychiatrist in the UK. They set their own prices; looking is free and needs no account.',
  },
]

export default function Home() {
  return (
    <>
      <Hero />
      <Promises />
      <HowItWorks />
      <WhoYouCanTalkTo />
      {isOpen('/get-help') && <HelpRightNow />}
      {isOpen('/therapist/sign-up') && <ForPractitioners />}
      <LastWord />
    </>
  )
}
