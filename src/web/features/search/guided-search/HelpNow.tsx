import { dialled, emergencyNumbers } from '#contract/emergency.ts'
import { Alert, type AlertProps } from '#web/ui/Alert.tsx'

/** Where to turn at once, as soon as an answer hints at danger. */
export function HelpNow({
  live,
  onwards = 'You can continue with the questions whenever you like.',
}: Pick<AlertProps, 'live'> & { onwards?: string }) {
  return (
    <Alert tone="warning" {...(live && { live })} title="You do not have to face this alone">
      <p>Hearth is not for emergencies. These people can help right now:</p>
      <ul className="mt-2 flex flex-col gap-1">
        {emergencyNumbers.map(({ number, words }) => (
          <li key={number}>
            <a href={dialled(number)} className="tappable text-lg font-semibold underline underline-offset-4">
              {number}
            </a>{' '}
            {words}
          </li>
        ))}
      </ul>
      <p className="mt-1">{onwards}</p>
    </Alert>
  )
}
