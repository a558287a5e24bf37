import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'

/** In the shape of messages, at the end; `foot-of-numbers` knows it by that. */
export function ChatLoading() {
  return (
    <Loading label="Loading the messages" className="flex grow flex-col justify-end gap-3 px-4 pb-6 sm:px-6">
      <Skeleton className="h-14 w-3/5 rounded-2xl" />
      <Skeleton className="h-10 w-2/5 self-end rounded-2xl" />
      <Skeleton className="h-20 w-2/3 rounded-2xl" />
      <Skeleton className="h-12 w-1/2 self-end rounded-2xl" />
    </Loading>
  )
}
