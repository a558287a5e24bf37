/** Words that the last part of a path begins with when it names an action: `/appointment/cancel-session`. */
const verbs = new Set(
  `accept add approve ask begin block cancel change check complete confirm create decline delete dismiss dispute edit exchange
  find forgot hide login logout order overturn propose publish refresh refund refuse register reinstate reject remove report
  request resend reset resolve restore resume set setup settle subscribe suspend take unblock undo unsubscribe update uphold upload
  verify view withdraw`.split(/\s+/),
)
const readingVerbs = new Set(['find', 'get', 'request'])
/** Verbs of two words. */
const pairs = new Set(['hand over', 'set up'])

const byMethod: Record<string, string> = { GET: 'get', POST: 'create', PUT: 'update', DELETE: 'delete' }

/** Names for paths that the rule would turn into an unclear one. */
export const chosenNames: Record<string, string> = {
  'POST /client/forgot-password': 'requestClientPasswordReset',
  'POST /therapist/forgot-password': 'requestTherapistPasswordReset',
  'POST /admin/forgot-password': 'requestAdminPasswordReset',
  'POST /client/google-sign-in': 'signInClientWithGoogle',
  'POST /client/google-sign-up': 'signUpClientWithGoogle',
  'POST /therapist/google-sign-in': 'signInTherapistWithGoogle',
  'POST /therapist/google-sign-up': 'signUpTherapistWithGoogle',
  'GET /client/profile/show': 'getClientChatCredentials',
  'GET /therapist/profile/show': 'getTherapistChatCredentials',
  'GET /client/delete-account': 'checkClientAccountDeletion',
  'GET /therapist/{id}/get-profile': 'getListedTherapistProfile',
  'GET /therapist/services': 'getTherapistServiceList',
  'GET /therapist/home/get-dashboard-overview': 'getTherapistDashboard',
  'POST /therapist/complete': 'submitTherapistProfile',
  'POST /therapist/subscription/subscribe': 'startTherapistSubscription',
  'POST /therapist/sessions/{appointment_id}/no-show': 'declareTherapistSessionNoShow',
  'POST /payment/{provider}/existing-card-payment': 'payWithExistingCard',
  'POST /appointment/instant-book': 'instantBookAppointment',
  'GET /find-therapist/get-help-right-now': 'previewHelpRightNow',
  'GET /appointment/get-help-right-now': 'getHelpRightNow',
  'GET /filter/need-assistance': 'getGuidedSearchQuestions',
  'GET /filter/i-know': 'getSearchFilters',
  'POST /practitioner/{id}/view': 'countPractitionerView',
  'POST /chat/messages': 'sendChatMessage',
  'POST /chat/messages/read': 'markChatMessagesRead',
  'POST /notices/push': 'subscribeToPush',
  'POST /notices/push/remove': 'unsubscribeFromPush',
  'POST /notices/unsubscribe': 'unsubscribeFromMails',
  'POST /admin/chat-reports/{id}/look': 'readChatReport',
  'GET /admin/practitioners/{id}': 'getAdminPractitioner',
  'GET /admin/practitioners/{id}/ahead': 'previewPractitionerSuspension',
  'POST /admin/payouts/{id}': 'recordPayout',
  'GET /admin/payouts/recorded': 'listRecordedPayouts',
  'POST /admin/payouts/recorded/{payout_id}/reverse': 'reversePayout',
  'POST /admin/video-orders/{id}/dates': 'proposeVideoOrderDates',
  'POST /admin/video-orders/{id}/done': 'finishVideoOrder',
  'POST /admin/video-orders/{id}/video': 'uploadVideoOrderVideo',
  'POST /admin/video-orders/{id}/video-link': 'openVideoOrderVideo',
  'POST /therapist/video-production/video-link': 'openTherapistProducedVideo',
}

/**
 * The name of a call as a function: a verb, then what it is about. `POST /therapist/sessions/{appointment_id}/cancel` →
 * `cancelTherapistSession`. It follows from the endpoint's key alone, so that another endpoint never renames it.
 */
export function operationId(key: string): string {
  const chosen = chosenNames[key]
  if (chosen) return chosen
  const [method = '', path = ''] = key.split(' ')
  const isReading = method === 'GET'
  const parts = path.split('/').slice(1)
  let nouns = parts.flatMap((part, index) => {
    // Before an id, a list stands for one of it.
    const isOfOne = parts[index + 1]?.startsWith('{') === true
    return part.startsWith('{') ? [] : [(isOfOne ? singular(part) : part).split('-')]
  })
  // An admin's call about one object is named after the object.
  if (nouns.length > 1 && nouns[0]?.[0] === 'admin' && path.includes('{')) nouns = nouns.slice(1)
  const last = nouns.at(-1) ?? []
  const isVerb = (isReading ? readingVerbs : verbs).has(last[0] ?? '') && method !== 'DELETE'
  const length = pairs.has(last.slice(0, 2).join(' ')) ? 2 : isVerb ? 1 : 0
  const verb = length > 0 ? last.slice(0, length) : [byMethod[method] ?? method.toLowerCase()]
  // Posting to a list makes one of it.
  if (length === 0 && method === 'POST') last.push(singular(last.pop() ?? ''))
  const words = [...nouns.slice(0, -1).flat(), ...last.slice(length)].filter(
    // `/issue/get-issues` is about issues, not about an issue's issues.
    (word, index, all) => !all[index + 1]?.startsWith(word),
  )
  return [...verb, ...words].map((word, index) => (index === 0 ? word : capital(word))).join('')
}

function singular(word: string): string {
  return word.replace(/(?<!s)s$/, '')
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}
