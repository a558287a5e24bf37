import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PractitionerFile } from '#contract/back-office/back-office.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { Breadcrumbs } from '#web/ui/Breadcrumbs.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ButtonLink, TextLink } from '#web/ui/Link.tsx'
import { PageHeading } from '#web/ui/PageHeading.tsx'
import { Loading, Skeleton } from '#web/ui/Skeleton.tsx'
import { Facts } from './Facts.tsx'
import { fileQuery } from './admin-queries.ts'
import { formatBirthday, formatInstant } from './admin-labels.ts'
import { IntroductionCheck } from './IntroductionCheck.tsx'
import { ProfileDecision } from './ProfileDecision.tsx'
import { SessionsAhead } from './SessionsAhead.tsx'
import { QueryError } from '#web/ui/QueryError.tsx'
import { Section } from '#web/ui/Section.tsx'

/** Everything that vetting needs to know about one practitioner. */
export function PractitionerPage({ id }: { id: number }) {
  const query = useQuery(fileQuery(id))
  const { data: file, error } = query
  if (!file) {
    if (!error) return <PractitionerLoading />
    if (error instanceof ApiError && error.status === 404) return <NoSuchPractitioner />
    return <QueryError level={1} title="This practitioner did not load" query={query} />
  }
  return (
    <div className="page max-w-4xl">
      <PageHeading
        above={<Breadcrumbs items={[{ label: 'Vetting', to: '/admin' }, { label: file.full_name }]} />}
        title={file.full_name}
        lead={<span className="break-all">{file.email}</span>}
      />
      <div className="flex flex-col gap-8">
        <ProfileDecision file={file} />
        <Facts file={file} />
        <IntroductionCheck file={file} />
        {(file.status === 'approved' || file.status === 'suspended') && <SessionsAhead practitionerId={id} />}
        <Profile file={file} />
        <TextLink to={`/admin/audit?practitioner=${id}`} className="tappable self-start">
          What was done about this practitioner
        </TextLink>
      </div>
    </div>
  )
}

function Profile({ file }: { file: PractitionerFile }) {
  const facts: [string, ReactNode][] = [
    ['Title', file.title],
    ['Gender', file.gender],
    ['Date of birth', file.date_of_birth && formatBirthday(file.date_of_birth)],
    ['Phone', file.phone],
    ['Professions', file.provider_types.join(', ')],
    [
      'Experience',
      file.years_of_experience === null
        ? null
        : file.years_of_experience === 1
          ? '1 year'
          : `${file.years_of_experience} years`,
    ],
    ['Languages', file.languages.join(', ')],
    ['Works in', file.cities.join(', ')],
    ['Time zone', file.timezone],
    ['Insurance', file.has_insurance === null ? null : file.has_insurance ? 'Says yes' : 'Says no'],
    ['Account opened', formatInstant(file.created_at)],
  ]
  return (
    <Section title="Profile" size="2xl" isCard className="flex flex-col gap-5">
      {file.profile_image && (
        <img
          src={file.profile_image}
          alt={`Portrait of ${file.full_name}`}
          width={128}
          height={128}
          className="size-32 rounded-xl object-cover"
        />
      )}
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_1fr]">
        {facts.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-sm text-soft max-sm:mt-2 sm:text-base">{label}</dt>
            <dd className="break-words">{value || 'Not given'}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-col gap-3">
        <h3 className="text-xl">In their own words</h3>
        {file.short_description && <p className="font-semibold">{file.short_description}</p>}
        <p className="whitespace-pre-line">{file.about || 'Nothing written yet.'}</p>
      </div>
    </Section>
  )
}

export function NoSuchPractitioner() {
  return (
    <EmptyState
      level={1}
      title="There is no such practitioner"
      actions={<ButtonLink to="/admin">Back to vetting</ButtonLink>}
    >
      <p>The address may be mistyped.</p>
    </EmptyState>
  )
}

function PractitionerLoading() {
  return (
    <Loading label="Loading the practitioner" className="page flex max-w-4xl flex-col gap-4 pt-10">
      <Skeleton className="h-10 w-64" />
      <Skeleton className="h-40 rounded-xl" />
      <Skeleton className="h-40 rounded-xl" />
    </Loading>
  )
}
