/** What is drawn of a head of hair, from back to front. */
export interface Hair {
  behind?: string
  above?: string
  /** Over the shoulders, in front of the clothes. */
  front?: string
  /** The top edge in the units of the drawing; the crown of the head is at 30. */
  top: number
  /** Width on both sides of the head's middle; 40 without a wide shape. */
  reach: number
  hidesEars?: boolean
}

export const cap = (hairline: string) => `M62 84C56 46 72 24 100 24C128 24 144 46 138 84${hairline}Z`
export const centreParting =
  'M60 98C52 50 72 24 100 24C128 24 148 50 140 98C138 78 126 60 101 42C76 60 62 78 60 98Z'
export const sideParting =
  'M60 94C52 48 70 24 102 24C134 24 150 50 140 94C136 76 130 64 120 54C104 65 84 69 70 69C64 75 62 83 60 94Z'
export const straightFringe =
  'M60 96C50 46 70 23 100 23C130 23 150 46 140 96C139 86 137 78 134 71C112 76 88 76 66 71C63 78 61 86 60 96Z'
export const sweptFringe =
  'M60 94C51 46 70 23 100 23C130 23 149 46 140 94C138 84 135 74 131 66C122 68 108 62 96 46C90 62 78 72 66 74C63 80 61 86 60 94Z'
export const sweptBack = cap('C134 66 124 52 110 46C96 44 74 52 62 84')
export const chinLength = 'M60 68C50 98 52 122 50 136C68 146 132 146 150 136C148 122 150 98 140 68Z'
export const shoulderLength =
  'M60 66C52 98 56 122 42 146C60 156 76 150 82 142H118C124 150 140 156 158 146C144 122 148 98 140 66Z'
export const longStraight = 'M61 72C50 112 52 148 38 178C60 190 140 190 162 178C148 148 150 112 139 72Z'
export const longWaves =
  'M60 64C44 82 54 96 46 112C37 128 50 138 42 156C36 172 50 184 68 182H132C150 184 164 172 158 156C150 138 163 128 154 112C146 96 156 82 140 64Z'
export const lightLine = (d: string, colour: string) =>
  `<path d="${d}" stroke="${colour}" stroke-width="2" opacity="0.45"/>`
export const shine = '#fff4e2'
