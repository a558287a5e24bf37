import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ClientProfile } from '#contract/accounts/accounts.ts'
import { limitedField, useForm } from '#web/lib/form.ts'
import { rename } from '#web/lib/rename.ts'
import { userOf } from '#web/lib/session.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Form } from '#web/ui/Form.tsx'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Loading } from '#web/ui/Skeleton.tsx'
import { SubmitButton } from '#web/ui/SubmitButton.tsx'
import { TextField } from '#web/ui/TextField.tsx'
import { ownProfileQuery } from './own-profile.ts'
import { QueryError } from '#web/ui/QueryError.tsx'

/** A client's name, to be changed. */
export function NameForm({ onSaved }: { onSaved(): void | Promise<void> }) {
  const query = useQuery(ownProfileQuery())
  const { data, error } = query
  if (data) return <LoadedForm profile={data} onSaved={onSaved} />
  if (error) {
    return <QueryError title="Your name did not load" query={query} />
  }
  return <Loading label="Loading your name" skeleton="h-20" />
}

function LoadedForm({ profile, onSaved }: { profile: ClientProfile; onSaved(): void | Promise<void> }) {
  const client = useQueryClient()
  const form = useForm<{ name: string }>({
    defaultValues: { name: `${profile.first_name} ${profile.last_name}`.trim() },
  })

  const save = useAction('PUT /client/profile', {
    onDone(saved) {
      client.setQueryData(ownProfileQuery().queryKey, saved)
      rename(userOf({ user: saved }))
      return onSaved()
    },
  })

  return (
    <Form form={form} onSubmit={(body) => save.send({ body })} failureTitle="Your name was not saved">
      <TextField
        label="Name"
        description="What your practitioner will call you. It does not have to be your full name."
        autoComplete="name"
        {...limitedField(form, 'PUT /client/profile', 'name')}
      />
      <div className="flex flex-wrap gap-3">
        <SubmitButton pendingLabel="Saving">Save name</SubmitButton>
        <ButtonLink to="/account" variant="quiet">
          Cancel
        </ButtonLink>
      </div>
    </Form>
  )
}
