import { circle, ground, line, shape } from './shapes.ts'

interface Wear {
  top: string
  second: string
  skin: string
}

const neck = (skin: string) =>
  shape('M83 112v30c2 20 32 20 34 0v-30z', skin) +
  ground('M84 126c8 11 24 11 32 0v7c-8 9-24 9-32 0z', '#3a332a', 0.14)

const pale = '#fffaf0'

/** What is worn: on the clothes under the neck, then over it. */
export const clothes = {
  crew: ({ skin, top }) =>
    neck(skin) +
    `<path d="M79 141c5 28 37 28 42 0" stroke="#3a332a" stroke-width="9"/><path d="M79 141c5 28 37 28 42 0" stroke="${top}" stroke-width="4.5"/>`,
  vNeck: ({ skin }) => shape('M78 142L100 184L122 142Z', skin) + neck(skin) + line('M78 142L100 184L122 142'),
  shirt: ({ skin, second }) =>
    neck(skin) +
    shape('M82 138L100 166L85 180L70 148C73 144 77 141 82 138Z', second) +
    shape('M118 138L100 166L115 180L130 148C127 144 123 141 118 138Z', second) +
    line('M100 166V300', 2) +
    [190, 216, 242, 268].map((y) => circle(105, y, 1.4, '#3a332a')).join(''),
  blazer: ({ skin, second, top }) =>
    shape('M76 143L100 250L124 143Z', second) +
    neck(skin) +
    line('M80 143c6 24 34 24 40 0') +
    shape('M80 140L100 250L82 236L62 186L74 180L60 166Z', top) +
    shape('M120 140L100 250L118 236L138 186L126 180L140 166Z', top) +
    line('M100 250V300') +
    circle(106, 266, 2.2, '#3a332a'),
  rollNeck: ({ skin, top }) =>
    neck(skin) +
    shape('M80 128C88 137 112 137 120 128L124 150C112 164 88 164 76 150Z', top) +
    line('M88 140v14M100 142v15M112 140v14', 1.5),
  cardigan: ({ skin, second, top }) =>
    shape('M77 143C84 180 88 250 88 300H112C112 250 116 180 123 143Z', second) +
    neck(skin) +
    line('M80 143c6 24 34 24 40 0') +
    `<path d="M76 143C84 180 88 250 88 300M124 143C116 180 112 250 112 300" stroke="#3a332a" stroke-width="10"/><path d="M76 143C84 180 88 250 88 301M124 143C116 180 112 250 112 301" stroke="${top}" stroke-width="5.5"/>`,
  scarf: ({ skin, second }) =>
    neck(skin) +
    shape('M70 140C84 158 116 158 130 140L136 158C118 178 82 178 64 158Z', second) +
    shape('M112 166L124 218H104L98 170Z', second) +
    line('M76 152C90 164 108 166 124 158M110 210v8M116 210v8', 1.7),
  wrap: ({ skin, second }) =>
    shape('M78 142L96 196L124 142Z', skin) +
    neck(skin) +
    line('M122 141C116 168 104 196 70 232M78 142C82 166 90 184 98 194') +
    line('M128 146C122 174 110 202 78 240', 1.5, second),
  blouse: ({ skin, second }) =>
    neck(skin) +
    shape('M78 140C84 158 116 158 122 140L130 150C120 172 80 172 70 150Z', second) +
    shape(
      'M100 166C88 158 74 166 76 178C84 182 94 178 100 170C106 178 116 182 124 178C126 166 112 158 100 166Z',
      second,
    ) +
    line('M98 172L88 214M102 172L112 208', 2),
  hood: ({ skin, second, top }) =>
    neck(skin) +
    shape(
      'M76 138C70 164 84 182 100 186C116 182 130 164 124 138C142 146 148 164 138 180C126 196 112 196 100 190C88 196 74 196 62 180C52 164 58 146 76 138Z',
      top,
    ) +
    line('M90 188V226M110 188V220', 3.4, second),
  dungarees: ({ skin, second }) =>
    neck(skin) +
    line('M79 142c6 24 36 24 42 0') +
    shape('M62 150L72 146L84 214H116L128 146L138 150L132 216V300H68V216Z', second) +
    shape('M84 234H116V262H84Z', second) +
    circle(80, 220, 3, pale) +
    circle(120, 220, 3, pale),
} as const satisfies Record<string, (wear: Wear) => string>
export type ClothesStyle = keyof typeof clothes

export const patterns = {
  none: () => '',
  stripes: (colour: string) =>
    [168, 186, 204, 222, 240, 258, 276]
      .map((y) => line(`M0 ${y}Q100 ${y + 12} 200 ${y}`, 5, colour))
      .join(''),
  dots: (colour: string) =>
    Array.from({ length: 60 }, (_, index) => {
      const row = Math.floor(index / 10)
      return `<circle cx="${10 + (index % 10) * 20 + (row % 2) * 10}" cy="${168 + row * 20}" r="2.8" fill="${colour}" stroke="none"/>`
    }).join(''),
  knit: (colour: string) =>
    Array.from({ length: 9 }, (_, index) => line(`M${20 + index * 20} 150V300`, 2, colour)).join(''),
} as const
export type Pattern = keyof typeof patterns

/** The body from the shoulders down; `half` is half its width. */
export const bodyPath = (half: number) => {
  const left = 100 - half
  const right = 100 + half
  return `M${left} 300V226C${left + 1} 180 ${left + 20} 153 80 142H120C${right - 20} 153 ${right - 1} 180 ${right} 226V300Z`
}

/** Hands and what they hold, in front of everything. */
export const gestures = {
  none: () => '',
  mug: ({ top, second, skin }) =>
    shape('M14 300C20 268 44 244 70 240L78 262C62 270 52 282 50 300Z', top) +
    shape('M186 300C180 268 156 244 130 240L122 262C138 270 148 282 150 300Z', top) +
    shape('M80 222H120V252C120 260 114 264 108 264H92C86 264 80 260 80 252Z', second) +
    shape(
      'M66 240C66 230 76 226 86 232C92 236 92 240 88 243C92 246 90 251 86 252C88 256 85 260 80 260C72 262 66 254 66 240Z',
      skin,
    ) +
    shape(
      'M134 240C134 230 124 226 114 232C108 236 108 240 112 243C108 246 110 251 114 252C112 256 115 260 120 260C128 262 134 254 134 240Z',
      skin,
    ) +
    '<path d="M93 212c-4-6 4-8 0-15M107 212c-4-6 4-8 0-15" opacity="0.5"/>',
  chin: ({ top, skin }) =>
    shape('M112 300C114 260 116 214 114 174L136 168C150 210 166 256 174 300Z', top) +
    shape(
      'M110 150C106 142 110 130 118 126C122 122 128 124 129 128C134 128 137 133 136 138C140 144 140 154 136 164L134 172L114 176C114 166 112 158 110 150Z',
      skin,
    ) +
    line('M118 127C116 132 117 136 119 139M129 129C127 133 127 137 128 140', 1.8),
  crossed: ({ top, skin }) =>
    shape('M22 248C52 222 112 240 168 232C180 240 182 256 172 264C120 276 60 274 26 272Z', top) +
    shape('M178 240C150 226 100 236 60 244C50 252 50 262 58 268C110 262 150 270 178 266Z', top) +
    shape('M60 243C48 238 36 242 34 252C34 262 46 268 60 268Z', skin) +
    line('M38 248C44 247 50 248 54 250M37 256C44 255 50 256 54 258', 1.6),
  notebook: ({ top, second, skin }) =>
    `<g transform="rotate(-8 110 240)">${shape('M78 206H136C140 206 142 208 142 212V274H78Z', second)}${line('M88 206V274', 2)}${line('M100 222H130M100 232H122', 2)}</g>` +
    shape('M180 300C178 276 164 262 146 256L138 274C150 280 154 288 156 300Z', top) +
    shape(
      'M148 254C140 246 130 244 122 250C118 254 122 258 126 257C120 261 122 266 127 265C124 269 128 273 133 271C138 276 146 274 146 268Z',
      skin,
    ),
} as const satisfies Record<string, (wear: Wear) => string>
export type Gesture = keyof typeof gestures
