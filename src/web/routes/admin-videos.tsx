import { VideoOrders } from '#web/features/back-office/VideoOrders.tsx'
import { requireAdmin } from '#web/lib/guard.ts'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import type { Route } from './+types/admin-videos.ts'

export const meta = () => [{ title: pageTitle('Videos') }]

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  requireAdmin(request)
  return null
}

export default function AdminVideos() {
  return (
    <div className="page">
      <PageHeading title="Videos" lead="Introductions that practitioners ordered, to be made over a call." />
      <VideoOrders />
    </div>
  )
}
