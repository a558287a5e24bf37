import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'

/** The shape of a step, until it is known which one. */
export function GuidedSearchLoading() {
  return (
    <Loading label="Loading the questions" className="flex flex-col gap-6">
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-10 w-3/4" />
      <div className="flex flex-col gap-3">
        {[0, 1, 2, 3].map((at) => (
          <Skeleton key={at} className="h-16 rounded-lg" />
        ))}
      </div>
      <Skeleton className="h-12 w-32 rounded-full" />
    </Loading>
  )
}
