import './lib/older-browsers.ts'
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { keepHistoryFresh } from './lib/fresh-history.ts'
import { keepOfflinePage } from './lib/offline-page.ts'
import { settleTab } from './lib/tabs.ts'
import { keepTextsInStep } from './lib/translated-page.ts'
import { allowFrameworkMarkup } from './lib/trusted-types.ts'

allowFrameworkMarkup()
keepHistoryFresh()
keepTextsInStep()

void settleTab(window.location)
  // Without the other tabs' help this one is on its own.
  .catch(() => undefined)
  .then(() =>
    startTransition(() => {
      hydrateRoot(
        document,
        <StrictMode>
          <HydratedRouter />
        </StrictMode>,
      )
    }),
  )

keepOfflinePage()
