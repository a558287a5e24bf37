import { useQuery } from '@tanstack/react-query'
import { useAction } from '#web/lib/use-action.ts'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import { Switch } from '#web/ui/Switch.tsx'
import { notificationsQuery } from './own-profile.ts'
import { type PushAbility, pushAbility, turnPushOff, turnPushOn } from './push.ts'

const abilityKey = ['push-ability']

/** Notifications of this browser. The browser asks whether they may be shown on the click, never before. */
export function PushSwitch({ pushKey, endpoints }: { pushKey: string; endpoints: readonly string[] }) {
  const browser = useQuery({
    queryKey: [...abilityKey, pushKey],
    queryFn: () => pushAbility(pushKey),
    staleTime: 0,
  })
  const ability = browser.data
  const isOn =
    ability?.state === 'ready' && ability.endpoint !== undefined && endpoints.includes(ability.endpoint)

  const turn = useAction(
    async (isWanted: boolean) => {
      // A press may come before the browser has said what it can do.
      const { state } = ability ?? (await pushAbility(pushKey))
      if (state === 'ready') await (isWanted ? turnPushOn(pushKey) : turnPushOff())
    },
    { invalidates: [abilityKey, notificationsQuery().queryKey] },
  )

  return (
    <div className="flex flex-col gap-3 rounded-xl border border-line bg-surface p-5 shadow-low sm:p-6">
      <Switch
        isOn={isOn}
        disabled={ability !== undefined && ability.state !== 'ready'}
        aria-disabled={turn.isPending}
        onChange={(event) => turn.start(event.currentTarget.checked)}
        description={describe(ability)}
      >
        Notifications in this browser
      </Switch>
      <ErrorAlert title="That was not changed" error={turn.error} />
    </div>
  )
}

function describe(ability: PushAbility | undefined): string {
  if (ability?.state === 'missing') {
    return 'This browser does not support them. On an iPhone, add Hearth to your home screen first.'
  }
  if (ability?.state === 'denied') {
    return 'Notifications from Hearth are blocked in this browser. You can change that in its settings.'
  }
  return 'Straight away, when Hearth is not open. They stop when you log out.'
}
