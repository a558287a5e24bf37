import { useSearchParams } from 'react-router'
import { ChatReports } from '#web/features/back-office/ChatReports.tsx'
import { ChoiceLinks } from '#web/features/back-office/ChoiceLinks.tsx'
import { Reports } from '#web/features/back-office/Reports.tsx'
import { pageTitle } from '#web/lib/site.ts'
import { PageHeading } from '#web/ui/PageHeading.tsx'

export const meta = () => [{ title: pageTitle('Reports') }]

export default function AdminReports() {
  const [params] = useSearchParams()
  const isAboutChats = params.get('about') === 'chats'
  return (
    <div className="page">
      <PageHeading title="Reports" lead="What people reported about reviews, replies and conversations." />
      <div className="mb-6">
        <ChoiceLinks
          label="What was reported"
          choices={[
            { label: 'Reviews', to: '/admin/reports', isChosen: !isAboutChats },
            { label: 'Conversations', to: '/admin/reports?about=chats', isChosen: isAboutChats },
          ]}
        />
      </div>
      {isAboutChats ? <ChatReports /> : <Reports />}
    </div>
  )
}
