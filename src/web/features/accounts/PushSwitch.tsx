import { useQuery } from '@tanstack/react-query'
import { useAction } from '#web/lib/use-action.ts'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { notificationsQuery } from './own-profile.ts'
import { type PushAbility, pushAbility, turnPushOff, turnPushOn } from './push.ts'

const abilityKey = ['push-ability']

/** Notifications of this browser. The browser asks whether they may be shown on the click, never before. */
export function PushSwitch({ pushKey, endpoints }: { pushKey: string; endpoints: readonly string[] }) {
  const browser = useQuery({ queryKey: abilityKey, queryFn: pushAbility, staleTime: 0 })
  const ability = browser.data
  const isOn =
    ability?.state === 'ready' && ability.endpoint !== undefined && endpoints.includes(ability.endpoint)

  const turn = useAction((isWanted: boolean) => (isWanted ? turnPushOn(pushKey) : turnPushOff()), {
    invalidates: [abilityKey, notificationsQuery().queryKey],
  })

  return (
    <div className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-5 shadow-low sm:p-6">
      <Switch
        isOn={isOn}
        disabled={ability !== undefined && ability.state !== 'ready'}
        aria-disabled={turn.isPending || !ability}
        onChange={(event) => {
          if (ability) turn.start(event.currentTarget.checked)
        }}
        description={describe(ability)}
      >
        Notices in this browser
      </Switch>
      <ErrorAlert title="This is not changed" error={turn.error} />
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
