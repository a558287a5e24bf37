import {
  IconCalendarPlus,
  IconCalendarX,
  IconCertificate,
  IconChecklist,
  IconClipboardCheck,
  IconCreditCard,
  IconMessage2,
} from '@tabler/icons-react'
import type { DashboardTask } from '#contract/practitioners/dashboard.ts'
import { isOpen } from '#web/lib/site.ts'
import { formatDay } from '#web/lib/time.ts'
import { ButtonLink } from '#web/ui/Link.tsx'
import { Section } from '#web/ui/Section.tsx'

const icons = {
  complete_profile: IconChecklist,
  profile_refused: IconChecklist,
  document_refused: IconCertificate,
  document_expires: IconCertificate,
  document_undated: IconCertificate,
  captions_asked: IconMessage2,
  subscribe: IconCreditCard,
  schedule_empty: IconCalendarPlus,
  calendar_ended: IconCalendarX,
  session_to_settle: IconClipboardCheck,
  review_unreplied: IconMessage2,
} as const satisfies Record<DashboardTask['code'], unknown>

/** What needs doing next, the urgent first. Nothing at all when nothing does. */
export function TaskList({ tasks }: { tasks: readonly DashboardTask[] }) {
  if (tasks.length === 0) return null
  return (
    <Section title="What needs doing" size="2xl" className="flex flex-col gap-3">
      <ul className="flex flex-col divide-y divide-line rounded-xl border border-line bg-surface shadow-low">
        {tasks.map((task) => (
          <TaskItem key={`${task.code} ${task.title} ${task.due}`} task={task} />
        ))}
      </ul>
    </Section>
  )
}

function TaskItem({ task }: { task: DashboardTask }) {
  const Icon = icons[task.code]
  const isUrgent = task.urgency === 'now'
  return (
    <li className="flex flex-col gap-3 p-5 sm:flex-row sm:items-center sm:gap-5">
      <div className="flex grow gap-3">
        <Icon
          aria-hidden
          size={24}
          className={isUrgent ? 'mt-0.5 shrink-0 text-ember' : 'mt-0.5 shrink-0 text-soft'}
        />
        <div className="min-w-0">
          <h3 className="font-sans text-base font-semibold tracking-normal">{task.title}</h3>
          <p className="text-soft">
            {task.due && `By ${formatDay(`${task.due}T12:00:00Z`, 'UTC')}. `}
            {task.message}
          </p>
        </div>
      </div>
      {task.action && isOpen(task.action.path.split(/[?#]/)[0] ?? '') && (
        <ButtonLink
          to={task.action.path}
          variant={isUrgent ? 'primary' : 'secondary'}
          className="max-sm:self-start sm:shrink-0"
        >
          {task.action.label}
        </ButtonLink>
      )}
    </li>
  )
}
