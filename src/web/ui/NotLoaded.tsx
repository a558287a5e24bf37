import { Button } from './Button.tsx'
import { ErrorState } from './ErrorState.tsx'

/** In the place of a part of the page whose code did not come. */
export function NotLoaded({ title, onRetry }: { title: string; onRetry(): void }) {
  return (
    <ErrorState
      title={title}
      onRetry={onRetry}
      actions={
        // A browser may hold on to the failure for as long as the page is open.
        <Button variant="secondary" onPress={() => location.reload()}>
          Reload the page
        </Button>
      }
    >
      <p>Please check your connection and try again.</p>
    </ErrorState>
  )
}
