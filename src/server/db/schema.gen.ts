// Generated from the migrations by `npm run generate`. Do not edit.
import type { Generated } from 'kysely'

export type Schema = {
  'absence_tasks': {
    id: Generated<number>
    practitioner_id: number
    appointment_id: string
    noted_at: Date
    resolved_at: Date | null
  }
  'access_tokens': {
    hash: Uint8Array
    login_session_id: string
    expires_at: Date
  }
  'accounts': {
    id: string
    role: 'client' | 'therapist' | 'admin'
    email: string | null
    email_verified_at: Date | null
    password_hash: string | null
    first_name: string
    last_name: string
    created_at: Date
    deleted_at: Date | null
    session_epoch: Generated<number>
  }
  'appointments': {
    id: string
    client_id: string
    practitioner_id: number
    booking_type: 'schedule' | 'get-help-right-now'
    state: 'draft' | 'pending' | 'reserved' | 'confirmed' | 'completed' | 'cancelled' | 'no_show' | 'expired'
    service_id: number | null
    appointment_type: 'online' | 'face_to_face' | null
    location_id: number | null
    issue_id: number | null
    reservation_id: string | null
    starts_at: Date | null
    ends_at: Date | null
    fee_pence: number
    discount_pence: Generated<number>
    hold_extended: Generated<boolean>
    first_booked_at: Date | null
    cancelled_by: 'client' | 'practitioner' | 'system' | null
    cancel_reason: string | null
    sequence: Generated<number>
    created_at: Date
    client_timezone: string | null
    frozen_at: Date | null
    frozen_until: Date | null
    frozen_cause: 'suspended' | 'vetting_lapsed' | 'cover_case' | null
    cancel_code: 'practitioner_suspended' | 'vetting_lapsed' | 'office' | 'unpaid' | 'series_ended' | 'practitioner_absent' | 'technical_failure' | 'absence' | 'closed' | null
    series_id: string | null
    pay_at: Date | null
    pay_by: Date | null
    charge_at: Date | null
    payment_method_id: string | null
    pay_failures: Generated<number>
    series_starts_at: Date | null
    offer_id: string | null
    moved_from: Date | null
  }
  'audit_checks': {
    id: Generated<number>
    at: Date
    seq: number
    hash: Uint8Array
    wrong_seq: number | null
  }
  'audit_head': {
    id: number
    seq: number
    hash: Uint8Array
  }
  'audit_log': {
    id: Generated<number>
    at: Date
    actor_id: string | null
    action: string
    subject: string
    reason: string | null
    practitioner_id: number | null
    actor_name: string | null
    seq: number | null
    prev: Uint8Array | null
    hash: Uint8Array | null
  }
  'busy_elsewhere': {
    practitioner_id: number
    during: string
  }
  'calendar_entries': {
    appointment_id: string
    calendar: string
    event_id: string
    etag: string
    written_at: Date
  }
  'calendar_feeds': {
    practitioner_id: number
    token_hash: Uint8Array
    created_at: Date
    read_at: Date | null
  }
  'chat_dialogs': {
    id: string
    client_id: string
    practitioner_id: number
    opened_for: 'enquiry' | 'session'
    sealed_key: Uint8Array
    last_seq: Generated<number>
    active_at: Date
    created_at: Date
    active_on: Generated<string>
    client_blocks: Generated<boolean>
    practitioner_blocks: Generated<boolean>
  }
  'chat_members': {
    dialog_id: string
    account_id: string
    read_seq: Generated<number>
    shown_read_seq: number | null
  }
  'chat_messages': {
    dialog_id: string
    seq: number
    id: string
    sender_id: string
    body: Uint8Array
    sent_at: Date
  }
  'chat_passwords': {
    hash: Uint8Array
    login_session_id: string
    expires_at: Date
  }
  'chat_reports': {
    id: string
    dialog_id: string
    reporter_id: string
    sealed_reason: Uint8Array
    sealed_messages: Uint8Array | null
    messages_count: number
    state: Generated<'open' | 'settled'>
    created_at: Date
    settled_at: Date | null
  }
  'chat_tokens': {
    hash: Uint8Array
    login_session_id: string
    expires_at: Date
  }
  'client_calendar_feeds': {
    client_id: string
    token_hash: Uint8Array
    created_at: Date
    read_at: Date | null
  }
  'clients': {
    account_id: string
    referral_code: string | null
    referred_by: string | null
  }
  'consents': {
    id: string
    account_id: string
    scope: string
    subject: string
    text_version: string
    given_at: Date | null
    withdrawn_at: Date | null
  }
  'device_tokens': {
    hash: Uint8Array
    account_id: string
    role: 'client' | 'therapist'
    family_id: string
    created_at: Date
    expires_at: Date
    spent_at: Date | null
  }
  'disputes': {
    id: string
    gateway: string
    gateway_ref: string
    payment_intent_id: string | null
    charge_id: string | null
    amount_pence: number
    state: 'open' | 'won' | 'lost'
    withdrawn_pence: Generated<number>
    is_reinstated: Generated<boolean>
    borne_by: 'platform' | 'practitioner' | null
    opened_at: Date
    closed_at: Date | null
    fee_pence: Generated<number>
    is_fee_returned: Generated<boolean>
    is_refundable: Generated<boolean>
  }
  'file_links': {
    hash: Uint8Array
    file_id: string
    expires_at: Date
  }
  'gateway_incidents': {
    id: string
    kind: 'refund' | 'capture' | 'release' | 'refund_failed' | 'dispute' | 'mismatch'
    gateway: string
    subject: string
    payment_key: string | null
    amount_pence: number | null
    noted_at: Date
    resolution: 'noted' | 'paid_otherwise' | 'borne_by_platform' | 'borne_by_practitioner' | 'won' | null
    resolved_at: Date | null
  }
  'gateway_notices': {
    gateway: string
    id: string
    kind: 'payment' | 'refund failed' | 'dispute' | 'other'
    payment_key: string | null
    received_at: Date
  }
  'genders': {
    id: number
    name: string
  }
  'google_calendars': {
    id: string
    practitioner_id: number
    state: 'connected' | 'ended' | 'leaving'
    ended_why: 'revoked' | 'removed' | null
    ended_at: Date | null
    subject: string
    email: string
    calendar_id: string
    sealed_grant: Uint8Array | null
    connected_at: Date
    read_at: Date | null
    due_at: Date
    failures: Generated<number>
  }
  'guided_answers': {
    id: number
    question_id: number
    position: number
    title: string
    because: string | null
    trigger_next: boolean
    shows_danger: boolean
    issue_id: number | null
    scores: unknown
    excludes: Generated<number[]>
    danger: 'now' | 'watch' | null
  }
  'guided_categories': {
    id: number
    name: string
    description: string
  }
  'guided_questions': {
    id: number
    category_id: number
    position: number
    name: string
    hint: string | null
    type: number
  }
  'help_dispatches': {
    appointment_id: string
    client_id: string
    state: 'claimed' | 'asking' | 'accepted' | 'nobody' | 'stopped' | 'expired'
    deadline: Date | null
    deadline_extended: Generated<boolean>
    paid_at: Date | null
    ask_until: Date | null
    dialog_id: string | null
    created_at: Date
    ended_at: Date | null
  }
  'help_offers': {
    id: string
    appointment_id: string
    practitioner_id: number
    state: 'open' | 'accepted' | 'declined' | 'lapsed' | 'withdrawn'
    asked_at: Date
    answer_by: Date
    settled_at: Date | null
  }
  'help_turns': {
    practitioner_id: number
    asked_at: Generated<Date>
  }
  'idempotency_keys': {
    account_id: string
    endpoint: string
    key: string
    request_hash: Uint8Array
    started_at: Date
    status: number | null
    answer: unknown | null
    claim: string | null
    renewed_at: Date | null
  }
  'identities': {
    issuer: string
    subject: string
    role: 'client' | 'therapist'
    account_id: string
    created_at: Date
  }
  'identity_codes': {
    hash: Uint8Array
    browser: Uint8Array
    sealed: Uint8Array
    expires_at: Date
  }
  'identity_nonces': {
    hash: Uint8Array
    expires_at: Date
  }
  'installation': {
    key: string
    value: string
  }
  'insurance_companies': {
    id: number
    name: string
  }
  'invoice_numbers': {
    year: number
    last: number
  }
  'invoices': {
    id: string
    charge_id: string
    practitioner_id: number
    year: number
    serial: number
    seller: string
    buyer: string
    description: string
    amount_pence: number
    issued_at: Date
  }
  'issues': {
    id: number
    name: string
    description: string
  }
  'known_addresses': {
    account_id: string
    digest: Uint8Array
    first_seen_at: Date
    last_seen_at: Date
  }
  'languages': {
    id: number
    name: string
  }
  'late_return_notes': {
    appointment_id: string
    kind: 'release' | 'refund'
    since: Date
    noted_at: Date
  }
  'ledger_entries': {
    id: Generated<number>
    transaction_id: number
    account: 'gateway_balance' | 'practitioner_payable' | 'referral_discounts' | 'subscription_income' | 'video_production_income' | 'disputed_funds' | 'dispute_losses' | 'dispute_fees'
    practitioner_id: number | null
    amount_pence: number
  }
  'ledger_transactions': {
    id: Generated<number>
    kind: 'capture' | 'refund' | 'charge' | 'payout' | 'payout_reversed' | 'refund_failed' | 'refund_paid_otherwise' | 'charge_refund' | 'charge_refund_failed' | 'charge_refund_paid_otherwise' | 'dispute_withdrawn' | 'dispute_reinstated' | 'dispute_lost' | 'dispute_charged' | 'dispute_fee' | 'dispute_fee_returned'
    source_id: string
    at: Date
  }
  'license_bodies': {
    id: number
    name: string
  }
  'locations': {
    id: Generated<number>
    practitioner_id: number
    name: string
    country: string
    city: string
    street: string
    home_number: string
    postal_code: string
    latitude: number | null
    longitude: number | null
    removed_at: Date | null
    outward_code: string | null
    district_name: string | null
    point_source: 'postcode' | 'town' | null
    show_street: Generated<boolean>
  }
  'login_sessions': {
    id: string
    account_id: string
    created_at: Date
    ended_at: Date | null
    device: string | null
    last_used_at: Date
    family_id: string | null
  }
  'mail_tokens': {
    hash: Uint8Array
    account_id: string
    purpose: 'password_reset' | 'verify_email' | 'change_email' | 'operator_reset'
    expires_at: Date
    used_at: Date | null
    new_email: string | null
    email: string | null
  }
  'no_shows': {
    appointment_id: string
    state: 'declared' | 'withdrawn' | 'disputed' | 'upheld' | 'overturned'
    declared_at: Date
    dispute_until: Date
    disputed_at: Date | null
    client_words: string | null
    decided_at: Date | null
  }
  'notice_choices': {
    account_id: string
    unread_mail: Generated<boolean>
    session_reminders: Generated<boolean>
  }
  'outgoing_mails': {
    id: string
    template: string
    subject_type: string
    subject_id: string
    recipient: string
    sequence: Generated<number>
    account_id: string | null
    dedupe_key: string
    data: Generated<unknown>
    created_at: Date
    claimed_until: Date | null
    outcome: 'sent' | 'dropped' | 'refused' | null
    settled_at: Date | null
  }
  'payment_intents': {
    id: string
    appointment_id: string
    payment_method_id: string
    gateway: string
    gateway_ref: string | null
    amount_pence: number
    discount_pence: Generated<number>
    state: 'authorising' | 'requires_action' | 'authorised' | 'declined' | 'capturing' | 'captured' | 'voiding' | 'voided'
    decline_code: string | null
    client_secret: string | null
    purpose: 'booking' | 'change'
    attempts: Generated<number>
    created_at: Date
    updated_at: Date
    releasing_since: Date | null
    captured_elsewhere_at: Date | null
    compared_at: Date | null
    gateway_error: unknown | null
    on_session: Generated<boolean>
  }
  'payment_methods': {
    id: string
    account_id: string
    gateway: string
    gateway_ref: string | null
    brand: string
    last4: string
    expiry_month: number | null
    expiry_year: number | null
    fingerprint: string | null
    created_at: Date
    removed_at: Date | null
    remembered: Generated<boolean>
    declined_at: Date | null
  }
  'payout_reversals': {
    payout_id: string
    reason: 'returned_by_bank' | 'recorded_wrongly'
    created_at: Date
  }
  'payouts': {
    id: string
    practitioner_id: number
    amount_pence: number
    reference: string
    created_at: Date
  }
  'phone_codes': {
    id: number
    phone_code: string
    country: string
  }
  'platform_charge_refunds': {
    id: string
    charge_id: string
    gateway_ref: string
    amount_pence: number
    state: 'succeeded' | 'failed' | 'paid_otherwise'
    created_at: Date
  }
  'platform_charges': {
    id: string
    account_id: string
    payment_method_id: string
    gateway: string
    gateway_ref: string | null
    purpose: 'subscription' | 'video_production'
    subject: string
    amount_pence: number
    on_session: boolean
    state: 'authorising' | 'requires_action' | 'authorised' | 'declined' | 'capturing' | 'captured' | 'voiding' | 'voided'
    decline_code: string | null
    client_secret: string | null
    attempts: Generated<number>
    created_at: Date
    updated_at: Date
    captured_elsewhere_at: Date | null
    compared_at: Date | null
    gateway_error: unknown | null
  }
  'practitioner_cards': {
    practitioner_id: number
    card: unknown
  }
  'practitioner_documents': {
    id: string
    practitioner_id: number
    kind: 'identity' | 'dbs' | 'insurance_certificate'
    file_id: string
    expires_on: string | null
    state: 'waiting' | 'accepted' | 'refused' | 'replaced'
    reason: string | null
    decided_at: Date | null
    created_at: Date
  }
  'practitioner_insurance_companies': {
    practitioner_id: number
    insurance_company_id: number
  }
  'practitioner_issues': {
    practitioner_id: number
    issue_id: number
  }
  'practitioner_languages': {
    practitioner_id: number
    language_id: number
  }
  'practitioner_licenses': {
    id: Generated<number>
    practitioner_id: number
    provider_type_id: number
    license_body_id: number
    license_number: string
    state: 'waiting' | 'accepted' | 'refused'
    reason: string | null
    expires_on: string | null
    created_at: Date
  }
  'practitioner_profile_views': {
    practitioner_id: number
    day: string
    views: number
  }
  'practitioner_provider_types': {
    practitioner_id: number
    provider_type_id: number
  }
  'practitioner_replaced_portraits': {
    image_key: string
    practitioner_id: number
    replaced_at: Date
  }
  'practitioner_search': {
    practitioner_id: number
    merit: number
    rank: number
    rating_hundredths: number
    gender_id: number | null
    tags: string
    min_fee_pence: number
    max_fee_pence: number
    offers_online: boolean
    offers_face_to_face: boolean
    listed_until: Date
    next_free_online: Date | null
    next_free_face_to_face: Date | null
    free_days_online: number[]
    free_days_face_to_face: number[]
    fresh_until: Date
    pronouns: string | null
    next_starts: unknown | null
    updated_xid: Generated<string>
    places: number[] | null
    place_points: unknown | null
    min_online_fee_pence: number | null
    max_online_fee_pence: number | null
    min_face_to_face_fee_pence: number | null
    max_face_to_face_fee_pence: number | null
  }
  'practitioner_search_marks': {
    practitioner_id: number
    updated_xid: Generated<string>
  }
  'practitioner_search_removed': {
    practitioner_id: number
    updated_xid: string
    removed_at: Generated<Date>
  }
  'practitioner_services': {
    practitioner_id: number
    service_id: number
    appointment_type: 'online' | 'face_to_face'
    duration_minutes: number
    fee_pence: number
  }
  'practitioner_steps': {
    practitioner_id: number
    step: 'about_you' | 'languages' | 'licences' | 'identity' | 'dbs' | 'approaches' | 'issues' | 'photo' | 'bio' | 'video' | 'insurance' | 'services' | 'locations' | 'insurers'
    version: number
    saved_at: Date
  }
  'practitioner_therapy_types': {
    practitioner_id: number
    therapy_type_id: number
  }
  'practitioners': {
    id: Generated<number>
    account_id: string
    state: 'draft' | 'submitted' | 'approved' | 'rejected' | 'suspended' | 'closed'
    state_reason: string | null
    state_changed_at: Date | null
    title_id: number | null
    gender_id: number | null
    date_of_birth: string | null
    phone_code: string | null
    phone_number: string | null
    timezone: Generated<string>
    years_of_experience: number | null
    about: Generated<string>
    short_description: Generated<string>
    age_groups: Generated<string[]>
    image_key: string | null
    video_url: string | null
    works_with_insurance: Generated<boolean>
    insurance_certificate_expires: string | null
    meeting_link: string | null
    available_now_until: Date | null
    subscribed_until: Date | null
    created_at: Date
    has_indemnity: boolean | null
    video_choice: 'own' | 'call' | 'link' | 'none' | null
    video_file_id: string | null
    vetted_until: Date | null
    notice_minutes: Generated<number>
    pause_minutes: Generated<number>
    schedule_version: Generated<number>
    pronouns: string | null
    video_captions_file_id: string | null
    video_transcript: string | null
    captions_asked_at: Date | null
    series_rule: Generated<'open' | 'ask' | 'closed'>
    waitlist: Generated<'open' | 'closed'>
    waiting: Generated<number>
    room: Generated<'hearth' | 'own'>
  }
  'provider_types': {
    id: number
    name: string
  }
  'push_subscriptions': {
    id: string
    login_session_id: string
    endpoint: string
    p256dh: Uint8Array
    auth: Uint8Array
    created_at: Date
    gone_at: Date | null
  }
  'rate_limits': {
    bucket: string
    subject: string
    window_start: Date
    hits: number
    under_way: Generated<number>
  }
  'recovery_codes': {
    account_id: string
    digest: Uint8Array
    used_at: Date | null
    key_id: string | null
  }
  'refresh_tokens': {
    hash: Uint8Array
    login_session_id: string
    expires_at: Date
    spent_at: Date | null
    spent_in_known_browser: boolean | null
  }
  'refunds': {
    id: string
    payment_intent_id: string
    amount_pence: number
    discount_pence: Generated<number>
    reason: string
    state: 'requested' | 'succeeded' | 'failed' | 'withdrawn' | 'paid_otherwise'
    gateway_ref: string | null
    attempts: Generated<number>
    last_error: string | null
    tried_at: Date | null
    created_at: Date
    succeeded_at: Date | null
    origin: Generated<'product' | 'gateway'>
    gateway_error: unknown | null
  }
  'release_files': {
    name: string
    sealed_body: Uint8Array
    left_at: Date | null
  }
  'reservations': {
    id: string
    practitioner_id: number
    client_id: string
    during: string
    state: 'held' | 'booked' | 'released'
    hold_expires_at: Date | null
    created_at: Date
    pause_minutes: Generated<number>
    blocked: Generated<string>
    origin: Generated<'client' | 'offer' | 'practitioner'>
  }
  'review_reports': {
    id: Generated<number>
    review_id: number
    about: 'review' | 'reply'
    account_id: string | null
    reason: string | null
    state: 'open' | 'hidden' | 'dismissed'
    created_at: Date
    decided_at: Date | null
  }
  'reviews': {
    id: Generated<number>
    practitioner_id: number
    reviewer: string
    rating: number
    comment: string
    created_at: Date
    client_id: string | null
    appointment_id: string | null
    edited_at: Date | null
    hidden_at: Date | null
    hidden_reason: string | null
    reply: string | null
    replied_at: Date | null
    reply_edited_at: Date | null
    reply_hidden_at: Date | null
    reply_hidden_reason: string | null
  }
  'search_wishes': {
    id: string
    client_id: string
    sealed_filters: Uint8Array
    created_at: Date
    looked_at: Date | null
    last_notified_at: Date | null
    ends_at: Date
  }
  'search_words': {
    id: Generated<number>
    word: string
  }
  'second_factors': {
    account_id: string
    secret: Uint8Array | null
    confirmed_at: Date | null
    last_step: number | null
    pending_secret: Uint8Array | null
  }
  'series_dates': {
    series_id: string
    on_date: string
    appointment_id: string | null
    state: 'planned' | 'skipped' | 'moved' | 'conflict' | 'released'
    conflict_cause: 'taken' | 'time_off' | 'blocked' | 'busy_elsewhere' | 'own_session' | 'past' | null
    changed_by: 'client' | 'practitioner' | 'system'
    changed_at: Date
  }
  'series_price_changes': {
    id: string
    series_id: string
    fee_pence: number
    from_date: string
    asked_at: Date
    answer_by: Date
    answer: 'accepted' | 'declined' | null
    answered_at: Date | null
    applied_at: Date | null
  }
  'services': {
    id: number
    name: string
  }
  'session_attendance': {
    appointment_id: string
    side: 'client' | 'practitioner'
    first_in: Date | null
    last_out: Date | null
    seconds: Generated<number>
    session_seconds: Generated<number>
  }
  'session_room_seats': {
    appointment_id: string
    side: 'client' | 'practitioner'
    peer_id: string
    account_id: string
    login_session_id: string
    taken_at: Date
    seen_at: Date
    left_at: Date | null
  }
  'session_rooms': {
    appointment_id: string
    starts_at: Date
    state: Generated<'waiting' | 'admitted' | 'ended'>
    admitted_at: Date | null
    ended_at: Date | null
    ended_by: 'practitioner' | 'system' | null
    late_at: Date | null
    version: Generated<number>
    own_link_at: Date | null
  }
  'session_series': {
    id: string
    client_id: string
    practitioner_id: number
    service_id: number
    appointment_type: 'online' | 'face_to_face'
    location_id: number | null
    weekday: number
    start_minute: number
    duration_minutes: number
    every_weeks: number
    timezone: string
    first_on: string
    last_on: string | null
    extended_to: string | null
    fee_pence: number
    payment_method_id: string | null
    state: 'proposed' | 'active' | 'paused' | 'ended'
    paused_cause: 'unpaid' | 'suspension' | null
    paused_until: Date | null
    proposed_by: 'client' | 'practitioner'
    proposed_until: Date | null
    accepted_at: Date | null
    agreed_at: Date | null
    terms_version: string | null
    kept_reservation_id: string | null
    ended_at: Date | null
    ended_by: 'client' | 'practitioner' | 'system' | null
    end_cause: 'declined' | 'not_answered' | 'by_choice' | 'changed' | 'price_declined' | 'unpaid' | 'suspension' | 'closed' | 'unlisted' | 'account_deleted' | null
    end_reason: string | null
    continued_by: string | null
    unlisted_noted_at: Date | null
    created_at: Date
    zone_noted: string | null
    zone_confirmed_by_client: string | null
    zone_confirmed_by_practitioner: string | null
  }
  'shortlisted_practitioners': {
    client_id: string
    practitioner_id: number
    created_at: Date
  }
  'stored_files': {
    id: string
    account_id: string
    storage_key: string
    content_type: string
    bytes: number
    created_at: Date
    ready_at: Date | null
    removed_at: Date | null
  }
  'subscription_months': {
    charge_id: string
    subscription_id: string
    starts_at: Date
    ends_at: Date
  }
  'subscriptions': {
    id: string
    practitioner_id: number
    state: 'starting' | 'waiting' | 'active' | 'past_due' | 'cancelling' | 'lapsed' | 'ended'
    price_pence: number
    anchor_at: Date | null
    months: Generated<number>
    payments: Generated<number>
    paid_until: Date | null
    charge_id: string | null
    failures: Generated<number>
    failed_since: Date | null
    due_at: Date | null
    created_at: Date
    cancelled_at: Date | null
    ended_at: Date | null
  }
  'suspensions': {
    id: Generated<number>
    practitioner_id: number
    cause: 'conduct' | 'identity' | 'insurance' | 'papers' | 'other'
    sessions: 'cancel' | 'freeze'
    reason: string
    at: Date
    ended_at: Date | null
  }
  'therapy_types': {
    id: number
    name: string
    description: string
    image: string
    fits: Generated<string>
  }
  'time_off': {
    id: Generated<number>
    practitioner_id: number
    during: string
    timezone: Generated<string>
  }
  'timezones': {
    id: number
    name: string
  }
  'titles': {
    id: number
    name: string
  }
  'vetting_lapse_notes': {
    practitioner_id: number
    lapses_at: Date
    noted_at: Date
  }
  'vetting_reminders': {
    practitioner_id: number
    fact_id: string
    expires_on: string
    days_before: number
    sent_at: Date
  }
  'video_production_steps': {
    practitioner_id: number
    number: number
    kind: 'propose' | 'take_date' | 'ask_dates' | 'upload' | 'ask_change' | 'approve'
    at: Date
    dates: Generated<Date[]>
    date: Date | null
    note: string | null
    file_id: string | null
    undone_at: Date | null
  }
  'video_productions': {
    practitioner_id: number
    price_pence: number
    charge_id: string | null
    ordered_at: Date | null
    done_at: Date | null
  }
  'waitlist_entries': {
    id: string
    client_id: string
    practitioner_id: number
    service_id: number
    appointment_type: 'online' | 'face_to_face'
    windows: unknown
    earliest: string | null
    latest: string | null
    lead_minutes: number
    timezone: string
    swaps_appointment_id: string | null
    state: Generated<'waiting' | 'offered' | 'booked' | 'paused' | 'ended'>
    paused_by: 'client' | 'misses' | 'practitioner' | null
    joined_at: Date
    misses: Generated<number>
    ends_at: Date
    asked_at: Date | null
  }
  'waitlist_marks': {
    id: Generated<number>
    practitioner_id: number
    due_at: Date
    is_next_round: boolean
    freed: string | null
  }
  'waitlist_offers': {
    id: string
    entry_id: string
    practitioner_id: number
    kind: 'turn' | 'broadcast'
    appointment_id: string | null
    reservation_id: string | null
    starts_at: Date
    freed_at: Date
    round: number
    by_hand: Generated<boolean>
    made_at: Date
    started_at: Date | null
    expires_at: Date | null
    closed_at: Date | null
    state: Generated<'open' | 'taken' | 'declined' | 'expired' | 'withdrawn'>
  }
  'waitlist_snapshots': {
    practitioner_id: number
    digest: Uint8Array
    starts: number[]
    taken_at: Date
    openings: unknown | null
  }
  'weekly_hours': {
    practitioner_id: number
    weekday: number
    hour: number
    appointment_type: 'online' | 'face_to_face'
    location_id: number | null
  }
  'sandbox_gateway.cards': {
    token: string
    behaviour: string
    brand: string
    last4: string
    expiry_month: number
    expiry_year: number
    fingerprint: string
  }
  'sandbox_gateway.disputes': {
    ref: string
    payment_ref: string
    amount_pence: number
    withdrawn_pence: number
    state: 'open' | 'won' | 'lost'
    fee_pence: Generated<number>
  }
  'sandbox_gateway.payments': {
    ref: string
    idempotency_key: string
    card_token: string
    amount_pence: number
    state: 'requires_action' | 'authorised' | 'declined' | 'captured' | 'voided'
    decline_code: string | null
    client_secret: string | null
    refunded_pence: Generated<number>
    created_at: Date
  }
  'sandbox_gateway.refunds': {
    ref: string
    idempotency_key: string
    payment_ref: string
    amount_pence: number
    state: Generated<'succeeded' | 'failed'>
  }
  'stripe_gateway.customers': {
    owner: string
    ref: string
    created_at: Date
  }
  'stripe_gateway.payments': {
    idempotency_key: string
    ref: string
    created_at: Date
  }
}
