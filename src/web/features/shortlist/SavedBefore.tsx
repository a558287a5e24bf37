import { useState } from 'react'
import { useLocation } from 'react-router'
import { messageOf } from '#web/lib/api-error.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { showToast } from '#web/ui/Toast.tsx'
import { forgetWaiting, keepWaiting, useShortlist } from './shortlist-store.ts'

/** Where a client pays, writes, asks for help or is in a session, nothing else is asked. */
const withOneTask =
  /^\/(book-therapist|add-card|pay|join-waitlist|series|get-help|chats?|session-room)(?=\/|$)/

/** Asks a client who has just signed in what becomes of the people saved in this browser before. */
export default function SavedBefore() {
  const { waiting } = useShortlist()
  const { pathname } = useLocation()
  const [isPending, setPending] = useState(false)
  if (waiting.length === 0 || withOneTask.test(pathname)) return null
  const people = waiting.length === 1 ? 'one person' : `${waiting.length} people`
  const keep = async () => {
    setPending(true)
    try {
      await keepWaiting()
      showToast('Your shortlist is on your account now.')
    } catch (error) {
      showToast(messageOf(error), 'danger')
    } finally {
      setPending(false)
    }
  }
  return (
    <section aria-label="Your shortlist" className="page pt-4">
      <Alert
        tone="info"
        title={`You saved ${people} before you logged in`}
        actions={
          <>
            <Button size="small" isPending={isPending} onPress={() => void keep()}>
              Add to my account
            </Button>
            <Button
              size="small"
              variant="secondary"
              onPress={() => {
                forgetWaiting()
                showToast('They are removed from this browser.')
              }}
            >
              No, remove from this browser
            </Button>
          </>
        }
      >
        <p>Add them to the shortlist on your account? Only you can see it.</p>
      </Alert>
    </section>
  )
}
