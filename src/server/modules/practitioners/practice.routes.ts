import type { DocumentKind } from '#contract/practitioners/onboarding.ts'
import type { Serve } from '../../http/serve.ts'
import type { Documents } from './documents.service.ts'
import type { Practice } from './practice.service.ts'
import { versionsOf } from './step-versions.ts'

export function practiceRoutes(serve: Serve, practice: Practice, documents: Documents): void {
  serve('GET /therapist/profile', ({ caller }) => practice.profile(caller))
  serve('GET /therapist/profile-preview', ({ caller }) => practice.preview(caller))
  serve('POST /therapist/complete', ({ caller }) => practice.complete(caller))

  serve('GET /therapist/get-title-list', () => practice.titles())
  serve('GET /therapist/get-gender-list', () => practice.genders())
  serve('GET /therapist/get-phone-code-list', () => practice.phoneCodes())
  serve('GET /therapist/get-timezone-list', () => practice.timezones())
  serve('GET /therapist/get-specialization-list', () => practice.specializations())
  serve('GET /therapist/get-licensing-body-list', () => practice.licenceBodies())
  serve('GET /therapist/get-therapy-approach-list', () => practice.approaches())
  serve('GET /therapist/get-issue-list', () => practice.issues())
  serve('GET /therapist/get-insurance-company-list', () => practice.insurers())
  serve('GET /therapist/services', ({ caller }) => practice.services(caller))

  // What the specification reads one by one is a part of the profile.
  serve('GET /therapist/get-title', ({ caller }) => practice.profile(caller))
  serve('GET /therapist/get-gender', ({ caller }) => practice.profile(caller))
  serve('GET /therapist/get-phone-code', ({ caller }) => practice.profile(caller))
  serve('GET /therapist/get-phone-number', ({ caller }) => practice.profile(caller))
  serve('GET /therapist/get-timezone', ({ caller }) => practice.profile(caller))
  serve('GET /therapist/get-languages', async ({ caller }) => (await practice.profile(caller)).languages_list)
  serve(
    'GET /therapist/get-therapy-approaches',
    async ({ caller }) => (await practice.profile(caller)).therapist_approaches,
  )
  serve('GET /therapist/get-issues', async ({ caller }) => (await practice.profile(caller)).issues)
  serve('GET /therapist/get-services', async ({ caller }) => (await practice.profile(caller)).services)
  serve('GET /therapist/get-locations', async ({ caller }) => (await practice.profile(caller)).locations)

  serve('PUT /therapist/update-profile', ({ caller, body, request }) =>
    practice.update(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-language-list', ({ caller, body, request }) =>
    practice.saveLanguages(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-license-list', ({ caller, body, request }) =>
    practice.saveLicences(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-therapy-approach-list', ({ caller, body, request }) =>
    practice.saveApproaches(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-issue-list', ({ caller, body, request }) =>
    practice.saveIssues(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-service-list', ({ caller, body, request }) =>
    practice.saveServices(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-location-list', ({ caller, body, request }) =>
    practice.saveLocations(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-insurance-company-list', ({ caller, body, request }) =>
    practice.saveInsurers(caller, body, versionsOf(request.headers)),
  )

  const takesDocument = (key: DocumentUpload, kind: DocumentKind) =>
    serve(key, ({ caller, request, receive }) =>
      receive((file) => documents.uploadDocument(caller, kind, file, versionsOf(request.headers))),
    )
  takesDocument('POST /therapist/upload-document-file', 'identity')
  takesDocument('POST /therapist/upload-profile-dbs', 'dbs')
  takesDocument('POST /therapist/upload-insurance-certificate', 'insurance_certificate')
  serve('POST /therapist/upload-profile-image', ({ caller, request, receive }) =>
    receive((file) => documents.uploadPortrait(caller, file, versionsOf(request.headers))),
  )
  serve('POST /therapist/upload-profile-video', ({ caller, request, receive }) =>
    receive((file) => documents.uploadVideo(caller, file, versionsOf(request.headers))),
  )
  serve('POST /documents/{id}/link', ({ caller, params }) => documents.linkFor(caller, params.id))
}

type DocumentUpload =
  | 'POST /therapist/upload-document-file'
  | 'POST /therapist/upload-profile-dbs'
  | 'POST /therapist/upload-insurance-certificate'
