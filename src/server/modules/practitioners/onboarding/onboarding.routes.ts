import type { DocumentKind } from '#contract/practitioners/onboarding.ts'
import type { Serve } from '../../../http/serve.ts'
import type { Documents } from '../documents/documents.service.ts'
import type { Onboarding } from './onboarding.service.ts'
import { versionsOf } from './step-versions.ts'

export function onboardingRoutes(serve: Serve, onboarding: Onboarding, documents: Documents): void {
  serve('GET /therapist/profile', ({ caller }) => onboarding.profile(caller))
  serve('GET /therapist/profile-preview', ({ caller }) => onboarding.preview(caller))
  serve('POST /therapist/complete', ({ caller }) => onboarding.complete(caller))

  serve('GET /therapist/get-title-list', () => onboarding.titles())
  serve('GET /therapist/get-gender-list', () => onboarding.genders())
  serve('GET /therapist/get-phone-code-list', () => onboarding.phoneCodes())
  serve('GET /therapist/get-timezone-list', () => onboarding.timezones())
  serve('GET /therapist/get-specialization-list', () => onboarding.specializations())
  serve('GET /therapist/get-licensing-body-list', () => onboarding.licenceBodies())
  serve('GET /therapist/get-therapy-approach-list', () => onboarding.approaches())
  serve('GET /therapist/get-issue-list', () => onboarding.issues())
  serve('GET /therapist/get-insurance-company-list', () => onboarding.insurers())
  serve('GET /therapist/services', ({ caller }) => onboarding.services(caller))

  // What the specification reads one by one is a part of the profile.
  serve('GET /therapist/get-title', ({ caller }) => onboarding.profile(caller))
  serve('GET /therapist/get-gender', ({ caller }) => onboarding.profile(caller))
  serve('GET /therapist/get-phone-code', ({ caller }) => onboarding.profile(caller))
  serve('GET /therapist/get-phone-number', ({ caller }) => onboarding.profile(caller))
  serve('GET /therapist/get-timezone', ({ caller }) => onboarding.profile(caller))
  serve(
    'GET /therapist/get-languages',
    async ({ caller }) => (await onboarding.profile(caller)).languages_list,
  )
  serve(
    'GET /therapist/get-therapy-approaches',
    async ({ caller }) => (await onboarding.profile(caller)).therapist_approaches,
  )
  serve('GET /therapist/get-issues', async ({ caller }) => (await onboarding.profile(caller)).issues)
  serve('GET /therapist/get-services', async ({ caller }) => (await onboarding.profile(caller)).services)
  serve('GET /therapist/get-locations', async ({ caller }) => (await onboarding.profile(caller)).locations)

  serve('PUT /therapist/update-profile', ({ caller, body, request }) =>
    onboarding.update(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-language-list', ({ caller, body, request }) =>
    onboarding.saveLanguages(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-license-list', ({ caller, body, request }) =>
    onboarding.saveLicences(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-therapy-approach-list', ({ caller, body, request }) =>
    onboarding.saveApproaches(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-issue-list', ({ caller, body, request }) =>
    onboarding.saveIssues(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-service-list', ({ caller, body, request }) =>
    onboarding.saveServices(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-location-list', ({ caller, body, request }) =>
    onboarding.saveLocations(caller, body, versionsOf(request.headers)),
  )
  serve('POST /therapist/add-insurance-company-list', ({ caller, body, request }) =>
    onboarding.saveInsurers(caller, body, versionsOf(request.headers)),
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
  serve('POST /therapist/upload-video-captions', ({ caller, request, receive }) =>
    receive((file) => documents.uploadCaptions(caller, file, versionsOf(request.headers))),
  )
  serve('DELETE /therapist/video-captions', ({ caller, request }) =>
    documents.removeCaptions(caller, versionsOf(request.headers)),
  )
  serve('POST /documents/{id}/link', ({ caller, params }) => documents.linkFor(caller, params.id))
}

type DocumentUpload =
  | 'POST /therapist/upload-document-file'
  | 'POST /therapist/upload-profile-dbs'
  | 'POST /therapist/upload-insurance-certificate'
