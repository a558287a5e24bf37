import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { healthConsent } from '#contract/accounts/health-consent.ts'
import { fieldOf, useForm } from '#web/lib/form.ts'
import { useSession } from '#web/lib/session.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Card } from '#web/ui/Card.tsx'
import { Form } from '#web/ui/Form.tsx'
import { LiveRegion } from '#web/ui/LiveRegion.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { HealthConsent, healthConsentRules } from './HealthConsent.tsx'
import { ownProfileQuery } from './own-profile.ts'

/** Asks a client whose account was opened without it for the consent to the use of data on their health. */
export function AskHealthConsent({ className }: { className?: string }) {
  const { role } = useSession()
  const { data } = useQuery({ ...ownProfileQuery(), enabled: role === 'client' })
  const [isDone, setIsDone] = useState(false)
  if (role !== 'client' || !data || !(isDone || data.health_consent_at === null)) return null
  return (
    <div className={className}>
      <LiveRegion focusOn={isDone || undefined} className="outline-none">
        {isDone && <Alert tone="success">Thank you. Your agreement is saved.</Alert>}
      </LiveRegion>
      {!isDone && <Question onDone={() => setIsDone(true)} />}
    </div>
  )
}

function Question({ onDone }: { onDone(): void }) {
  const client = useQueryClient()
  const form = useForm<{ health_consent: boolean }>({ defaultValues: { health_consent: false } })
  const agree = useAction('PUT /client/health-consent', {
    onDone(saved) {
      onDone()
      client.setQueryData(ownProfileQuery().queryKey, saved)
    },
  })
  return (
    <Card as="section" aria-labelledby="health-consent" className="print:hidden">
      <h2 id="health-consent" className="text-xl">
        What you share about your health
      </h2>
      <p className="mt-2 mb-3 max-w-prose">
        Looking for therapy can say something about your health. The law asks for your agreement to that apart
        from our terms. Nothing changes about your sessions.
      </p>
      <Form
        form={form}
        onSubmit={() => agree.send({ body: { health_consent: healthConsent.version } })}
        failureTitle="Your agreement was not saved"
      >
        <HealthConsent {...fieldOf(form, 'health_consent', healthConsentRules)} />
        <div>
          <SubmitButton pendingLabel="Saving">Agree</SubmitButton>
        </div>
      </Form>
    </Card>
  )
}
