import type { ReactNode } from 'react'
import type { OwnReview, PastSession } from '#contract/reviews.ts'

/** Parts of other features; a dialog is open for as long as it is rendered. */
export type ClientParts = {
  renderMove(session: PastSession, onClose: () => void): ReactNode
  renderReview(session: PastSession, onClose: () => void, onSaved: (isNew: boolean) => void): ReactNode
  renderWithdraw(session: PastSession, onClose: () => void, onWithdrawn: () => void): ReactNode
  /** The client's review, with the reply and what can be done about them. */
  renderOwnReview(part: {
    review: OwnReview
    headingId: string
    onEdit(): void
    onWithdraw(): void
  }): ReactNode
  renderDispute(session: PastSession, onClose: () => void, onSent: () => void): ReactNode
}

/** What a client asks to do to a session, each with a dialog. */
export type Act = 'move' | 'cancel' | 'review' | 'withdraw' | 'dispute'
