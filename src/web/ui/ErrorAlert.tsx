import type { ReactNode } from 'react'
import { messageOf } from '../lib/api-error.ts'
import { Alert } from './Alert.tsx'

type Props = {
  /** What has not happened: 'Your name is not saved'. */
  title?: string | undefined
  /** Nothing is shown without one. */
  error: unknown
  /** What can be done about it. */
  actions?: ReactNode
  /** Words after those of the error. */
  children?: ReactNode
  /** Layout only. */
  className?: string
}

/** Why something failed. A screen reader reads it at once. */
export function ErrorAlert({ title, error, actions, children, className }: Props) {
  if (error === undefined || error === null) return null
  return (
    <Alert tone="danger" live="assertive" title={title} actions={actions} className={className}>
      {messageOf(error)}
      {children}
    </Alert>
  )
}
