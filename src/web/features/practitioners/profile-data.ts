import type { PractitionerProfile } from '#contract/practitioners/practitioners.ts'
import { profilePath } from '#web/lib/profile-path.ts'

/** A practitioner as schema.org data, limited to what the public profile shows. */
export function profileData(profile: Omit<PractitionerProfile, 'next_available'>, origin: string) {
  const services = [...profile.services.online, ...profile.services.face_to_face]
  const url = origin + profilePath(profile.practitioner_id)
  return {
    '@type': 'ProfessionalService',
    '@id': url,
    url,
    name: profile.full_name,
    description: profile.short_description,
    ...(profile.profile_image.full ? { image: origin + profile.profile_image.full } : {}),
    areaServed: 'GB',
    knowsLanguage: profile.languages_list,
    knowsAbout: profile.issues.map((issue) => issue.issue_name),
    ...(profile.addresses.length > 0
      ? {
          address: profile.addresses.map((place) => ({
            '@type': 'PostalAddress',
            addressLocality: place.city,
            postalCode: place.postal_code,
            addressCountry: place.country,
          })),
        }
      : {}),
    makesOffer: services.map((service) => ({
      '@type': 'Offer',
      price: service.fee.toFixed(2),
      priceCurrency: 'GBP',
      itemOffered: {
        '@type': 'Service',
        name: service.service_name,
        serviceType: service.appointment_type === 'online' ? 'Online session' : 'Session face to face',
      },
    })),
    ...(profile.reviews_total > 0
      ? {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: profile.reviews_rating,
            reviewCount: profile.reviews_total,
            bestRating: 5,
            worstRating: 1,
          },
        }
      : {}),
  }
}
