import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { copyText } from '#web/lib/copy-text.ts'
import { Button } from '#web/ui/Button.tsx'
import { ownProfileQuery } from './own-profile.ts'

/** The client's code to pass on. An extra: where it does not load, nothing stands in its place. */
export function OwnReferralCode() {
  const { data } = useQuery(ownProfileQuery())
  const [copied, setCopied] = useState<'yes' | 'no'>()
  if (!data) return null
  const copy = async () => setCopied((await copyText(data.referral_code)) ? 'yes' : 'no')
  return (
    <section
      aria-labelledby="own-referral-code"
      className="flex w-full flex-col gap-3 rounded-xl border border-line p-5 print:hidden"
    >
      <h2 id="own-referral-code" className="text-xl">
        Do you know someone who could use this?
      </h2>
      <p className="text-soft">Your code takes 20% off their first session. It costs you nothing.</p>
      <div className="flex flex-wrap items-center gap-3">
        <code className="rounded-md bg-sunken px-4 py-2 font-sans text-lg font-semibold tracking-widest select-all">
          {data.referral_code}
        </code>
        <Button variant="secondary" size="small" onPress={() => void copy()}>
          {copied === 'yes' ? <IconCheck aria-hidden size={18} /> : <IconCopy aria-hidden size={18} />}
          Copy the code
        </Button>
      </div>
      <output className="text-sm text-soft empty:sr-only">
        {copied === 'yes' && 'Copied.'}
        {copied === 'no' && 'Your browser did not allow copying. You can select the code instead.'}
      </output>
    </section>
  )
}
