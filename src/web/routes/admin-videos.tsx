import { VideoOrders } from '#web/features/back-office/VideoOrders.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Videos') }]

export default function AdminVideos() {
  return (
    <div className="page">
      <PageHeading title="Videos" lead="Introductions that practitioners ordered, to be made over a call." />
      <VideoOrders />
    </div>
  )
}
