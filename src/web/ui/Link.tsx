import type { ReactNode } from 'react'
import { Link as RouterLink, type LinkProps as RouterLinkProps } from 'react-router'
import { buttonLook, type ButtonLook } from './button-look.ts'
import { classes } from './classes.ts'

type Common = Omit<RouterLinkProps, 'className' | 'style' | 'children'> & {
  children: ReactNode
  className?: string
}

/** A link in text. `tone="plain"` underlines on hover only, for lists of links. */
export function TextLink({ tone = 'action', className, ...props }: Common & { tone?: 'action' | 'plain' }) {
  return (
    <RouterLink
      prefetch="intent"
      discover="none"
      {...props}
      className={classes(tone === 'action' ? 'link' : 'link-plain', className)}
    />
  )
}

/** Goes somewhere and looks like a button. */
export function ButtonLink({ variant, size, fullWidth, className, ...props }: Common & ButtonLook) {
  return (
    <RouterLink
      prefetch="intent"
      discover="none"
      {...props}
      className={classes(buttonLook({ variant, size, fullWidth }), className)}
    />
  )
}
