import { IconCertificate } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Location } from '#contract/practitioners/practitioners.ts'
import { formatDay, type InstantLike } from '#web/lib/time.ts'
import { Transcript, VideoPlayer } from '#web/ui/VideoPlayer.tsx'
import { About } from './About.tsx'
import { IntroVideo } from './IntroVideo.tsx'
import { type RenderReport, Reviews } from './Reviews.tsx'
import { ServicesTable } from './ServicesTable.tsx'
import type { ShownProfile } from './shown-profile.ts'
import { Specialisations } from './Specialisations.tsx'
import { videoIdOf } from '#contract/practitioners/video-link.ts'

/** Who they are in their own words. */
export function ProfileIntroduction({ profile }: { profile: ShownProfile }) {
  const videoId = videoIdOf(profile.profile_video_link)
  return (
    <>
      <Part title={`About ${profile.first_name}`}>
        <About text={profile.about} />
      </Part>
      {videoId && (
        <Part title="In their own voice">
          <IntroVideo videoId={videoId} name={profile.full_name} image={profile.profile_image} />
          {profile.profile_video_transcript && <Transcript text={profile.profile_video_transcript} />}
        </Part>
      )}
      {profile.profile_video && (
        <Part title="In their own voice">
          <VideoPlayer
            src={profile.profile_video}
            name={`Introduction by ${profile.full_name}`}
            captions={profile.profile_video_captions}
            className="aspect-video w-full rounded-lg border border-line bg-sunken"
          />
          {profile.profile_video_transcript && <Transcript text={profile.profile_video_transcript} />}
        </Part>
      )}
      {profile.issues.length > 0 && (
        <Part title="Helps with">
          <Specialisations names={profile.issues.map((issue) => issue.issue_name)} />
        </Part>
      )}
    </>
  )
}

/** The facts to decide by. */
export function ProfileFacts({
  profile,
  now,
  renderReport,
}: {
  profile: ShownProfile
  now: InstantLike
  renderReport?: RenderReport
}) {
  return (
    <>
      <Part title="Sessions and prices">
        <ServicesTable services={profile.services} />
      </Part>
      <Part title="Ways of working">
        <dl className="grid grid-cols-1 gap-x-8 gap-y-4 sm:grid-cols-[10rem_1fr]">
          <Fact name="Approaches">
            {profile.therapist_approaches.map((approach) => approach.therapy_type_name).join(', ')}
          </Fact>
          <Fact name="Languages">{profile.languages_list.join(', ')}</Fact>
          <Fact name="Sees">{profile.age_groups.join(', ')}</Fact>
          <Fact name="Gender">{profile.gender}</Fact>
          <Fact name="Pronouns">{profile.pronouns}</Fact>
        </dl>
      </Part>
      <Licences profile={profile} now={now} />
      <Insurance profile={profile} />
      {profile.addresses.length > 0 && (
        <Part title="Where">
          <ul className="flex flex-col gap-4">
            {profile.addresses.map((address) => (
              <li key={address.location_id}>
                <Address address={address} />
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title="Reviews" id="reviews">
        <Reviews reviews={profile.reviews_list} total={profile.reviews_total} renderReport={renderReport} />
      </Part>
    </>
  )
}

function Licences({ profile, now }: { profile: ShownProfile; now: InstantLike }) {
  if (profile.licences.length === 0 && profile.insurance_certificates.length === 0) return null
  return (
    <Part title="Licences">
      <p className="mb-3 text-sm text-soft">We check these before clients see them.</p>
      <ul className="flex flex-col gap-3">
        {profile.licences.map(({ licence, licence_number, provider_type }) => (
          <Licence key={`${licence}-${licence_number}`} title={licence}>
            Licence number <span className="tabular-nums select-all">{licence_number}</span> · {provider_type}
          </Licence>
        ))}
        {profile.insurance_certificates.map(({ expires }) => (
          <Licence key={expires} title="Professional indemnity insurance">
            Certificate valid until {formatDay(`${expires}T12:00:00Z`, 'UTC', now)}
          </Licence>
        ))}
      </ul>
    </Part>
  )
}

function Licence({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="licence">
      <IconCertificate aria-hidden size={24} />
      <span>
        <span className="font-semibold">{title}</span>
        <span className="block text-sm text-soft">{children}</span>
      </span>
    </li>
  )
}

function Insurance({ profile }: { profile: ShownProfile }) {
  if (!profile.works_with_insurance) return null
  return (
    <Part title="Insurance">
      <p>Therapist works with insurance{profile.insurance_companies.length > 0 && ':'}</p>
      {profile.insurance_companies.length > 0 && (
        <p className="mt-1">{profile.insurance_companies.join(', ')}</p>
      )}
      <p className="mt-2 text-sm text-soft">Ask your insurer before the first session what they cover.</p>
    </Part>
  )
}

/** Street and postcode where people are seen in person; of others the town alone is known. */
function Address({ address }: { address: Location }) {
  const { location_name: name, home_number, street, city, postal_code, country } = address
  const lines = [`${home_number} ${street}`.trim(), `${city} ${postal_code}`.trim(), country].filter(Boolean)
  return (
    <address className="not-italic">
      {name !== city && <span className="block font-semibold">{name}</span>}
      {lines.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </address>
  )
}

/** A line of a list of facts; nothing when the fact is not known. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null
  return (
    <div className="contents">
      <dt className="text-soft max-sm:-mb-3">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Part({ title, id, children }: { title: string; id?: string; children: ReactNode }) {
  return (
    <section id={id} className="scroll-mt-6">
      <h2 className="mb-3 text-2xl">{title}</h2>
      {children}
    </section>
  )
}
