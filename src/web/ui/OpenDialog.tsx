import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { BritishEnglish } from './BritishEnglish.tsx'
import { classes } from './classes.ts'
import { IconButton } from './IconButton.tsx'
import { InputLock } from './InputLock.tsx'

export type DialogProps = {
  /** Open for as long as it is rendered, where absent. */
  isOpen?: boolean
  onClose(): void
  title: ReactNode
  children: ReactNode
  /** `side`: a sheet on the right from 640px, the whole screen from below on a phone. `centre`: a question in the middle. */
  look?: 'centre' | 'side'
  /** Stays in sight below what scrolls: the one thing to do here, and the way back. */
  footer?: ReactNode
  /** What it asked for is under way: only its own buttons close it, and nothing in it is typed or chosen. */
  isStubborn?: boolean
  role?: 'dialog' | 'alertdialog'
}

/** A dialog with its kit. `Dialog` fetches it. */
export default function OpenDialog({
  isOpen = true,
  onClose,
  title,
  children,
  look = 'centre',
  footer,
  isStubborn,
  role = 'dialog',
}: DialogProps) {
  return (
    <BritishEnglish>
      <ModalOverlay
        isOpen={isOpen}
        onOpenChange={(isNowOpen) => !isNowOpen && onClose()}
        isDismissable={!isStubborn}
        isKeyboardDismissDisabled={isStubborn}
        className={classes(
          'fixed inset-0 z-40 flex h-(--visual-viewport-height) bg-veil [container-type:size] data-entering:animate-appear',
          look === 'side'
            ? 'items-end justify-end sm:items-stretch'
            : 'items-end justify-center sm:items-center sm:p-6',
        )}
      >
        <Modal
          className={classes(
            'flex w-full flex-col overflow-hidden border border-transparent bg-paper shadow-high outline-none',
            look === 'side'
              ? 'h-full data-entering:animate-rise sm:max-w-[30rem] sm:rounded-l-xl sm:data-entering:animate-from-right'
              : 'max-h-[92%] rounded-t-xl data-entering:animate-rise sm:max-w-lg sm:rounded-xl',
          )}
        >
          <AriaDialog
            role={role}
            className="flex min-h-0 grow flex-col overflow-y-auto overscroll-contain outline-none"
          >
            {/* The cross stands above a title with a word that does not fit beside it. */}
            <header className="flex flex-wrap-reverse items-end gap-x-4 px-[min(1.25rem,6vw)] pt-4 pb-3 sm:px-7 sm:pt-6">
              <Heading slot="title" level={2} className="min-w-min grow basis-0 pt-1.5 text-2xl">
                {title}
              </Heading>
              {!isStubborn && (
                <IconButton label="Close" onPress={onClose} className="-mr-2 ml-auto shrink-0">
                  <IconX aria-hidden size={22} />
                </IconButton>
              )}
            </header>
            {/*
             * Placed, so that hidden inputs scroll with what they stand for and come into sight with the focus. Where it would
             * be a slit between title and buttons, as enlarged to 400 %, the whole dialog scrolls.
             */}
            <div className="relative grow scroll-py-[min(5rem,25%)] overflow-y-auto overscroll-contain px-[min(1.25rem,6vw)] pt-1 pb-6 sm:px-7 [@container(max-height:24rem)]:shrink-0 [@container(max-height:24rem)]:overflow-visible">
              <InputLock isLocked={isStubborn}>{children}</InputLock>
            </div>
            {footer && (
              <footer className="flex flex-col gap-3 border-t border-line bg-surface px-[min(1.25rem,6vw)] py-4 sm:flex-row-reverse sm:px-7">
                {footer}
              </footer>
            )}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </BritishEnglish>
  )
}
