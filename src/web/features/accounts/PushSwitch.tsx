import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '#web/lib/api-error.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { notificationsQuery } from './own-profile.ts'
import { type PushAbility, pushAbility, turnPushOff, turnPushOn } from './push.ts'

/** Notifications of this browser. The browser asks whether they may be shown on the click, never before. */
export function PushSwitch({ pushKey, endpoints }: { pushKey: string; endpoints: readonly string[] }) {
  const client = useQueryClient()
  const browser = useQuery({ queryKey: ['push-ability'], queryFn: pushAbility, staleTime: 0 })
  const [isPending, setPending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const ability = browser.data
  const isOn =
    ability?.state === 'ready' && ability.endpoint !== undefined && endpoints.includes(ability.endpoint)

  async function turn(on: boolean): Promise<void> {
    setPending(true)
    setFailure(undefined)
    try {
      await (on ? turnPushOn(pushKey) : turnPushOff())
      await client.invalidateQueries({ queryKey: notificationsQuery().queryKey })
    } catch (thrown) {
      setFailure(thrown)
    } finally {
      await browser.refetch()
      setPending(false)
    }
  }

  return (
    <div className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-5 shadow-low sm:p-6">
      <Switch
        isOn={isOn}
        disabled={ability !== undefined && ability.state !== 'ready'}
        aria-disabled={isPending || !ability}
        onChange={(event) => {
          if (!isPending && ability) void turn(event.currentTarget.checked)
        }}
        description={describe(ability)}
      >
        Notices in this browser
      </Switch>
      {failure !== undefined && (
        <Alert tone="danger" live="assertive" title="This is not changed">
          {messageOf(failure)}
        </Alert>
      )}
    </div>
  )
}

function describe(ability: PushAbility | undefined): string {
  if (ability?.state === 'missing') {
    return 'This browser does not offer them. On an iPhone, put Hearth on the home screen first.'
  }
  if (ability?.state === 'denied') {
    return 'You have told this browser not to show notices of Hearth. Its settings can change that.'
  }
  return 'At once, while Hearth is not open. They end when you log out.'
}
