import type { Service, ServiceTypes } from '#contract/practitioners/practitioners.ts'
import { poundsToPence } from '#web/lib/money.ts'
import { Price } from '#web/ui/Price.tsx'

/** What is offered, how long it lasts and what it costs, by format. */
export function ServicesTable({ services }: { services: ServiceTypes }) {
  return (
    <div className="@container flex flex-col gap-6">
      {services.online.length > 0 && <FormatTable caption="Online" services={services.online} />}
      {services.face_to_face.length > 0 && (
        <FormatTable caption="Face-to-face" services={services.face_to_face} />
      )}
    </div>
  )
}

function FormatTable({ caption, services }: { caption: string; services: readonly Service[] }) {
  return (
    <table className="w-full">
      <caption className="pb-1 text-left font-semibold">{caption}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Session</th>
          <th scope="col">Length</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody>
        {services.map((service) => (
          <tr key={service.service_id} className="headed-row">
            <th scope="row" className="py-2.5 pr-3 text-left font-normal">
              {service.service_name}
            </th>
            <td className="py-2.5 pr-3 text-right text-sm whitespace-nowrap text-soft tabular-nums">
              {service.duration} minutes
            </td>
            <td className="py-2.5 text-right font-semibold">
              <Price pence={poundsToPence(service.fee)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
