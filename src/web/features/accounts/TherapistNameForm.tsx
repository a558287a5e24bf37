import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TherapistAccount } from '#contract/accounts/account-settings.ts'
import { limitedField, useForm } from '#web/lib/form.ts'
import { rename } from '#web/lib/rename.ts'
import { userOf } from '#web/lib/session.ts'
import { useAction } from '#web/lib/use-action.ts'
import { ContactLink } from '#web/ui/ContactLink.tsx'
import { Form } from '#web/ui/Form.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Alert } from '#web/ui/Alert.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { type OwnAccount, ownAccountQuery } from './own-profile.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

type Values = Pick<TherapistAccount, 'first_name' | 'last_name'>

/** A practitioner's name: to be changed until documents are held against it. */
export function TherapistNameForm({ onSaved }: { onSaved(): void | Promise<void> }) {
  const query = useQuery(ownAccountQuery('therapist'))
  const { data, error } = query
  if (data)
    return data.name_fixed ? <FixedName account={data} /> : <LoadedForm account={data} onSaved={onSaved} />
  if (error) {
    return <QueryError title="Your name did not load" query={query} />
  }
  return <Loading label="Loading your name" skeleton="h-40" />
}

function FixedName({ account }: { account: OwnAccount }) {
  return (
    <div className="flex flex-col gap-6">
      <p className="text-xl wrap-anywhere">{`${account.first_name} ${account.last_name}`.trim()}</p>
      <Alert tone="info" title="This is the name on your documents">
        Clients see it, and we check your identity document, DBS certificate and licence against it. If it has
        changed, write to <ContactLink /> from the address of your account, and have the new document ready.
      </Alert>
      <div>
        <ButtonLink to="/therapist/account" variant="secondary">
          Back to your account
        </ButtonLink>
      </div>
    </div>
  )
}

function LoadedForm({ account, onSaved }: { account: OwnAccount; onSaved(): void | Promise<void> }) {
  const client = useQueryClient()
  const form = useForm<Values>({
    defaultValues: { first_name: account.first_name, last_name: account.last_name },
  })

  const save = useAction('PUT /therapist/account', {
    onDone(saved) {
      client.setQueryData(ownAccountQuery('therapist').queryKey, saved)
      rename(userOf({ user: saved }))
      return onSaved()
    },
  })

  return (
    <Form form={form} onSubmit={(body) => save.send({ body })} failureTitle="Your name was not saved">
      <p className="text-soft">
        Clients see this name, and it must be the one on your documents. Once you have submitted your profile,
        only we can change it.
      </p>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <TextField
          label="First name"
          autoComplete="given-name"
          {...limitedField(form, 'PUT /therapist/account', 'first_name', {
            validate: (name) => name.trim() !== '' || 'Enter your first name.',
          })}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          {...limitedField(form, 'PUT /therapist/account', 'last_name', {
            validate: (name) => name.trim() !== '' || 'Enter your last name.',
          })}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <SubmitButton pendingLabel="Saving">Save name</SubmitButton>
        <ButtonLink to="/therapist/account" variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  )
}
