import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { keepOfflinePage } from './lib/offline-page.ts'
import { allowFrameworkMarkup } from './lib/trusted-types.ts'

allowFrameworkMarkup()

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
})

keepOfflinePage()
