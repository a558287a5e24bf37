/** The line of every drawing, as in the illustrations of the web. */
export const INK = '#3a332a'

/** A closed shape with a filled ground and the drawing's line. */
export const shape = (d: string, fill: string) => `<path d="${d}" fill="${fill}"/>`

/** Lines alone. */
export const line = (d: string, width = 2.5, colour = INK) =>
  `<path d="${d}" stroke="${colour}" stroke-width="${width}"/>`

/** A ground without a line, such as a shadow. */
export const ground = (d: string, fill: string, opacity = 1) =>
  `<path d="${d}" fill="${fill}" stroke="none" opacity="${opacity}"/>`

export const circle = (x: number, y: number, radius: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`

/** The path of a cloud: an ellipse whose edge is made of bumps. */
export function cloud(x: number, y: number, radiusX: number, radiusY: number, bumps: number): string {
  const points = Array.from({ length: bumps }, (_, index) => {
    const angle = (2 * Math.PI * (index + 0.5)) / bumps - Math.PI / 2
    return [x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle)] as const
  })
  const [first] = points
  if (!first) return ''
  const arcs = [...points.slice(1), first].map(([nextX, nextY], index) => {
    const [lastX, lastY] = points[index] ?? first
    const radius = Math.hypot(nextX - lastX, nextY - lastY) * 0.56
    return `A${radius.toFixed(1)} ${radius.toFixed(1)} 0 0 1 ${nextX.toFixed(1)} ${nextY.toFixed(1)}`
  })
  return `M${first[0].toFixed(1)} ${first[1].toFixed(1)}${arcs.join('')}Z`
}

/** Thick rounded strands with a line around each. */
export const strands = (paths: readonly string[], width: number, colour: string) =>
  paths.map((d) => line(d, width + 4.4) + line(d, width, colour)).join('')

/** A braid as a chain of leaves from top to bottom. */
export function braid(points: readonly (readonly [number, number])[], size: number, colour: string): string {
  return points
    .map(([x, y]) => `<ellipse cx="${x}" cy="${y}" rx="${size}" ry="${size * 0.85}" fill="${colour}"/>`)
    .join('')
}
