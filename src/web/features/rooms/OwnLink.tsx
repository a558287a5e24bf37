import type { Room } from '#contract/rooms/rooms.ts'
import { useAction } from '#web/lib/use-action.ts'
import { Alert } from '#web/ui/Alert.tsx'
import { Button } from '#web/ui/Button.tsx'
import { type ButtonLook, buttonLook } from '#web/ui/button-look.ts'
import { ErrorAlert } from '#web/ui/ErrorAlert.tsx'
import type { OwnMedia } from './own-media.ts'
import { useShowRoom } from './room-queries.ts'

type Props = { room: Room; media: OwnMedia }

/** That the session can go on at the practitioner's own link, once this was offered. */
export function OwnLinkOffered({ room, media }: Props) {
  const { own_link, other, you } = room
  if (!own_link?.offered_at) return null
  return (
    <Alert
      title={
        you === 'client'
          ? `${other.name} offers to go on in another room`
          : `${other.name} sees your own link`
      }
      actions={<OwnLinkButton link={own_link.link} media={media} size="small" />}
    >
      {you === 'client'
        ? `It belongs to a video service that ${other.name} uses. This room stays open meanwhile.`
        : 'Open it too, and go on there. This room stays open meanwhile.'}
    </Alert>
  )
}

type ButtonProps = ButtonLook & { link: string; media: OwnMedia }

/** Leads to the other room in a new tab, and frees camera and microphone here for it. */
function OwnLinkButton({ link, media, ...look }: ButtonProps) {
  return (
    <a href={link} target="_blank" rel="noreferrer" onClick={() => media.free()} className={buttonLook(look)}>
      Open the other room
      <span className="sr-only"> in a new tab</span>
    </a>
  )
}

/** In the dialog about trouble: the practitioner offers the link, and both open it from there. */
export function OwnLinkWay({ room, media }: Props) {
  const show = useShowRoom()
  const offer = useAction('POST /therapist/sessions/{appointment_id}/room/own-link', { onDone: show })
  const { own_link, you, other } = room
  if (!own_link) return null
  if (own_link.offered_at) return <OwnLinkOffered room={room} media={media} />
  if (you === 'client') return null
  return (
    <div className="flex flex-col gap-3">
      <p>
        You can go on at your own link. {other.name} sees it only once you offer it:{' '}
        <span className="break-all">{own_link.link}</span>
      </p>
      <ErrorAlert error={offer.error} title="Your link was not offered" />
      <Button
        variant="secondary"
        className="self-start"
        onPress={() => offer.start({ params: { appointment_id: room.appointment_id } })}
        isPending={offer.isPending}
      >
        Offer my own link
      </Button>
    </div>
  )
}
