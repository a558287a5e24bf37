import { braid, circle, cloud, ground, INK, line, shape, strands } from './shapes.ts'

/** What is drawn of a head of hair, from back to front. */
interface Hair {
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

const cap = (hairline: string) => `M62 84C56 46 72 24 100 24C128 24 144 46 138 84${hairline}Z`
const centreParting = 'M60 98C52 50 72 24 100 24C128 24 148 50 140 98C138 78 126 60 101 42C76 60 62 78 60 98Z'
const sideParting =
  'M60 94C52 48 70 24 102 24C134 24 150 50 140 94C136 76 130 64 120 54C104 65 84 69 70 69C64 75 62 83 60 94Z'
const straightFringe =
  'M60 96C50 46 70 23 100 23C130 23 150 46 140 96C139 86 137 78 134 71C112 76 88 76 66 71C63 78 61 86 60 96Z'
const sweptFringe =
  'M60 94C51 46 70 23 100 23C130 23 149 46 140 94C138 84 135 74 131 66C122 68 108 62 96 46C90 62 78 72 66 74C63 80 61 86 60 94Z'
const sweptBack = cap('C134 66 124 52 110 46C96 44 74 52 62 84')
const chinLength = 'M60 68C50 98 52 122 50 136C68 146 132 146 150 136C148 122 150 98 140 68Z'
const shoulderLength =
  'M60 66C52 98 56 122 42 146C60 156 76 150 82 142H118C124 150 140 156 158 146C144 122 148 98 140 66Z'
const longStraight = 'M61 72C50 112 52 148 38 178C60 190 140 190 162 178C148 148 150 112 139 72Z'
const longWaves =
  'M60 64C44 82 54 96 46 112C37 128 50 138 42 156C36 172 50 184 68 182H132C150 184 164 172 158 156C150 138 163 128 154 112C146 96 156 82 140 64Z'
const lightLine = (d: string, colour: string) =>
  `<path d="${d}" stroke="${colour}" stroke-width="2" opacity="0.45"/>`
const shine = '#fff4e2'

/** Every head of hair and headwear. `hair` and `cloth` are colours. */
export const hairStyles = {
  bob: (hair) => ({
    behind: shape(chinLength, hair),
    above: shape(sideParting, hair) + lightLine('M78 40C88 33 98 31 108 32', shine),
    top: 23,
    reach: 50,
    hidesEars: true,
  }),
  fringe: (hair) => ({
    behind: shape(chinLength, hair),
    above: shape(straightFringe, hair) + lightLine('M76 44C88 37 108 36 122 42', shine),
    top: 23,
    reach: 50,
    hidesEars: true,
  }),
  sweptFringe: (hair) => ({
    behind: shape(shoulderLength, hair),
    above: shape(sweptFringe, hair) + lightLine('M108 34C116 38 123 44 128 52', shine),
    top: 23,
    reach: 54,
    hidesEars: true,
  }),
  shoulder: (hair) => ({
    behind: shape(shoulderLength, hair),
    above: shape(centreParting, hair) + lightLine('M101 42C101 36 101 31 100 27', INK),
    top: 23,
    reach: 54,
    hidesEars: true,
  }),
  long: (hair) => ({
    behind: shape(longStraight, hair),
    above: shape(sideParting, hair),
    front: shape('M60 92C56 124 52 146 56 176C66 180 72 176 74 168C68 146 66 120 66 100Z', hair),
    top: 23,
    reach: 56,
    hidesEars: true,
  }),
  longFringe: (hair) => ({
    behind: shape(longStraight, hair),
    above: shape(straightFringe, hair),
    top: 22,
    reach: 56,
    hidesEars: true,
  }),
  wavy: (hair) => ({
    behind: shape(longWaves, hair),
    above: shape(centreParting, hair) + lightLine('M74 52C80 43 88 38 96 36', shine),
    top: 23,
    reach: 60,
    hidesEars: true,
  }),
  ponytail: (hair, cloth) => ({
    behind:
      shape('M126 40C164 36 172 84 156 132C148 124 144 112 146 100C142 84 134 68 120 58Z', hair) +
      circle(137, 52, 7, cloth),
    above: shape(sweptBack, hair) + lightLine('M84 50C92 42 102 38 112 38', shine),
    top: 23,
    reach: 60,
  }),
  sideBraid: (hair, cloth) => ({
    above: shape(sideParting, hair),
    front:
      braid(
        [
          [138, 108],
          [142, 122],
          [143, 136],
          [141, 150],
          [138, 164],
        ],
        9.5,
        hair,
      ) +
      shape('M131 172H143L141 180H133Z', cloth) +
      shape('M132 181C128 192 132 198 137 200C142 196 145 190 142 181Z', hair),
    top: 23,
    reach: 48,
    hidesEars: true,
  }),
  topBun: (hair) => ({
    behind: circle(100, 20, 17, hair),
    above:
      shape('M62 84c-4-36 12-56 38-56s42 20 38 56c-4-18-12-28-22-34-14 8-34 10-46 12-4 6-7 13-8 22z', hair) +
      lightLine('M90 15c4-5 12-6 17-2', shine),
    top: 3,
    reach: 42,
  }),
  lowBun: (hair) => ({
    behind: circle(136, 116, 17, hair),
    above: shape(centreParting.replaceAll('98', '88'), hair) + lightLine('M101 42C101 36 101 31 100 27', INK),
    top: 23,
    reach: 52,
    hidesEars: true,
  }),
  setWaves: (hair) => ({
    behind: shape(cloud(100, 84, 48, 48, 13), hair),
    above: shape(
      'M58 96C46 84 50 66 58 60C56 42 70 30 82 30C92 20 114 20 122 30C136 30 146 44 142 60C150 68 154 84 142 96C140 82 136 70 126 62C114 66 100 62 92 54C86 64 74 70 66 72C62 78 60 86 58 96Z',
      hair,
    ),
    top: 22,
    reach: 54,
    hidesEars: true,
  }),
  softCrop: (hair) => ({
    above: shape(
      'M64 82c-8-28 2-54 36-56 32-2 46 26 36 56-3-12-6-20-12-26-8-8-20-10-32-8-14 2-22 14-28 34z',
      hair,
    ),
    top: 25,
    reach: 42,
  }),
  brushedBack: (hair) => ({
    above:
      shape(
        'M63 82C56 46 68 22 104 22C134 22 146 48 137 82C135 70 132 60 127 52C112 44 90 44 76 54C70 62 66 70 63 82Z',
        hair,
      ) + lightLine('M84 46C88 38 94 33 102 30M102 44C106 37 112 33 118 32', INK),
    top: 21,
    reach: 42,
  }),
  crop: (hair) => ({
    above: shape(
      'M62 78c-6-30 10-54 40-54 26 0 40 20 36 54-3-8-5-14-8-20-18 2-38 0-54-6-6 6-11 14-14 26z',
      hair,
    ),
    top: 23,
    reach: 42,
  }),
  sidePart: (hair) => ({
    above:
      shape(
        'M62 80C55 48 70 24 100 24C133 24 145 50 138 80C136 70 133 62 128 56C112 57 96 52 84 42C80 54 68 62 62 80Z',
        hair,
      ) + lightLine('M84 42C84 36 86 31 90 27', INK),
    top: 23,
    reach: 42,
  }),
  tousled: (hair) => ({
    above: shape(
      'M63 80C54 64 56 48 64 42C62 32 76 24 84 28C90 18 106 16 110 24C122 18 134 28 132 36C144 42 146 62 137 80C135 70 132 62 127 57C122 62 116 62 112 56C106 62 98 62 94 56C88 62 80 62 77 57C70 62 66 70 63 80Z',
      hair,
    ),
    top: 17,
    reach: 44,
  }),
  quiff: (hair) => ({
    above:
      shape(
        'M64 76C60 58 61 48 68 42C64 26 84 12 106 15C130 16 145 36 136 76C134 66 132 59 128 53C112 58 92 56 80 47C72 54 67 64 64 76Z',
        hair,
      ) + lightLine('M78 38C86 28 98 24 112 26', shine),
    top: 13,
    reach: 42,
  }),
  curlyTop: (hair) => ({
    above: shape(
      'M64 78C56 70 58 58 66 54C60 42 70 32 80 35C82 22 98 18 105 27C116 18 130 26 129 36C140 38 144 50 135 56C142 62 142 72 136 78C134 70 131 64 126 60C112 64 88 62 76 58C70 62 66 70 64 78Z',
      hair,
    ),
    top: 19,
    reach: 44,
  }),
  fade: (hair) => ({
    above:
      ground(
        'M64 78C61 58 66 44 74 38H126C134 44 139 58 136 78C133 68 130 62 126 58H74C70 62 67 68 64 78Z',
        hair,
        0.5,
      ) + shape('M68 56C62 34 78 21 102 21C126 21 138 36 132 56C114 60 88 58 68 56Z', hair),
    top: 20,
    reach: 40,
  }),
  buzz: (hair) => ({
    above: ground(
      'M64 76C61 48 76 31 100 31C124 31 139 48 136 76C133 64 127 56 119 53C106 50 94 50 81 53C73 56 67 64 64 76Z',
      hair,
      0.72,
    ),
    top: 29,
    reach: 40,
  }),
  bald: () => ({
    above: '<path d="M82 42C88 37 96 35 103 36" stroke="#fff4e2" stroke-width="3" opacity="0.5"/>',
    top: 30,
    reach: 40,
  }),
  balding: (hair) => ({
    above:
      shape('M65 92C55 88 53 70 63 60C70 62 70 82 65 92Z', hair) +
      shape('M135 92C145 88 147 70 137 60C130 62 130 82 135 92Z', hair) +
      '<path d="M86 42C91 38 97 37 102 38" stroke="#fff4e2" stroke-width="3" opacity="0.5"/>',
    top: 30,
    reach: 46,
  }),
  afro: (hair) => ({
    behind: shape(cloud(100, 62, 58, 52, 17), hair),
    above: shape(
      'M62 86C56 52 76 38 100 38C124 38 144 52 138 86C136 70 130 60 120 57C108 54 92 54 80 57C70 60 64 70 62 86Z',
      hair,
    ),
    top: 4,
    reach: 66,
    hidesEars: true,
  }),
  bigCurls: (hair) => ({
    behind: shape(cloud(100, 88, 62, 66, 17), hair),
    above: shape(
      'M62 90c-14-4-14-22-4-28-6-14 6-28 18-26 4-14 24-18 32-8 12-6 26 2 26 18 12 4 14 22 4 28 4 8 0 12-2 16-1-12-4-22-12-28-14 4-34 2-44-4-8 8-16 18-18 32z',
      hair,
    ),
    top: 20,
    reach: 70,
    hidesEars: true,
  }),
  longCurls: (hair) => ({
    behind: shape(cloud(100, 102, 58, 80, 21), hair),
    above: shape(
      'M60 96C50 88 50 74 56 68C50 54 60 40 70 42C74 28 92 22 101 30C112 20 130 28 130 42C142 42 150 56 144 68C152 76 150 88 140 96C138 80 130 64 104 50C78 60 62 76 60 96Z',
      hair,
    ),
    top: 20,
    reach: 66,
    hidesEars: true,
  }),
  headwrap: (hair, cloth) => ({
    behind: shape(cloud(100, 22, 30, 22, 9), hair),
    above:
      shape('M62 78C54 48 72 27 100 27C128 27 146 48 138 78C124 58 76 58 62 78Z', cloth) +
      line('M68 60C80 46 100 40 124 44M64 68C84 50 112 48 134 60', 2) +
      shape(
        'M100 34C90 20 76 20 80 30C82 36 92 38 100 34ZM100 34C110 20 124 20 120 30C118 36 108 38 100 34Z',
        cloth,
      ),
    top: 0,
    reach: 44,
  }),
  cornrows: (hair) => ({
    behind: circle(132, 108, 14, hair),
    above:
      shape(cap('C132 62 120 50 100 50C80 50 68 62 62 84'), hair) +
      '<path d="M73 60C74 48 80 38 90 31M86 53C87 44 91 36 98 29M101 51C102 43 104 36 108 29M116 54C117 46 119 40 122 35M127 62C128 54 130 50 131 47" stroke="#c9a184" stroke-width="1.8" opacity="0.75"/>',
    top: 23,
    reach: 46,
  }),
  boxBraids: (hair, cloth) => ({
    behind: strands(
      [
        'M66 60C50 92 52 130 44 172',
        'M70 56C60 96 62 140 56 182',
        'M134 60C150 92 148 130 156 172',
        'M130 56C140 96 138 140 144 182',
      ],
      9,
      hair,
    ),
    above:
      shape(centreParting, hair) +
      '<path d="M101 42C101 36 101 31 100 27M86 50C84 42 86 36 90 30M116 50C118 42 116 36 112 30M72 64C68 54 70 46 76 38M128 64C132 54 130 46 124 38" stroke="#c9a184" stroke-width="1.8" opacity="0.6"/>',
    front:
      strands(['M62 96C58 122 62 150 58 178', 'M138 96C142 122 138 150 142 178'], 8, hair) +
      circle(58, 164, 5, cloth) +
      circle(142, 164, 5, cloth),
    top: 23,
    reach: 60,
    hidesEars: true,
  }),
  locs: (hair) => ({
    behind: strands(
      [
        'M64 56C44 84 48 122 38 160',
        'M68 52C54 92 58 134 50 174',
        'M72 60C66 110 70 150 66 176',
        'M136 56C156 84 152 122 162 160',
        'M132 52C146 92 142 134 150 174',
        'M128 60C134 110 130 150 134 176',
      ],
      11,
      hair,
    ),
    above: shape(
      'M60 96C50 52 68 23 100 23C132 23 150 52 140 96C136 84 134 74 128 62C120 66 114 58 108 48C102 60 92 64 84 58C80 68 72 72 68 72C64 80 62 88 60 96Z',
      hair,
    ),
    top: 22,
    reach: 66,
    hidesEars: true,
  }),
  shortLocs: (hair) => ({
    above: strands(
      [
        'M100 44C92 30 78 26 66 34',
        'M96 44C84 36 68 40 60 54',
        'M92 48C78 46 66 54 62 68',
        'M104 44C112 30 126 26 136 36',
        'M108 46C122 38 136 46 140 60',
        'M110 50C124 50 134 58 138 70',
        'M98 44C98 32 104 24 114 22',
        'M102 48C96 38 92 28 90 22',
        'M84 52C78 52 74 58 72 62',
        'M116 52C122 54 126 58 128 62',
      ],
      10,
      hair,
    ),
    top: 14,
    reach: 48,
  }),
  flatTop: (hair) => ({
    above:
      ground(
        'M64 80C61 64 64 52 70 46H130C136 52 139 64 136 80C133 70 130 63 126 60H74C70 63 67 70 64 80Z',
        hair,
        0.6,
      ) +
      shape(
        'M67 60C63 40 65 22 69 17C88 13 112 13 131 17C135 22 137 40 133 60C128 54 122 53 100 53C78 53 72 54 67 60Z',
        hair,
      ),
    top: 14,
    reach: 40,
  }),
  twists: (hair) => ({
    behind: shape(cloud(100, 56, 46, 36, 14), hair),
    above: shape(
      'M64 76C56 66 60 54 70 54C70 44 82 40 88 47C92 38 108 38 112 47C118 40 130 44 130 54C140 54 144 66 136 76C134 68 131 63 126 61C118 65 108 63 100 58C92 63 82 65 74 61C69 63 66 68 64 76Z',
      hair,
    ),
    top: 14,
    reach: 52,
  }),
  twistFade: (hair) => ({
    behind: shape(cloud(100, 40, 35, 22, 11), hair),
    above:
      ground(
        'M64 80C61 62 66 50 74 44H126C134 50 139 62 136 80C133 70 130 64 126 60H74C70 64 67 70 64 80Z',
        hair,
        0.6,
      ) +
      shape(
        'M70 58C64 50 68 42 76 42C78 34 90 32 96 38C102 31 116 32 120 40C130 40 136 50 130 58C122 62 116 56 110 54C104 60 94 60 88 54C84 58 76 62 70 58Z',
        hair,
      ),
    top: 14,
    reach: 42,
  }),
  hijab: (_hair, cloth) => ({
    behind: shape('M58 78C50 118 58 138 40 166C62 190 138 190 160 166C142 138 150 118 142 78Z', cloth),
    above:
      shape(
        'M54 104C44 50 66 20 100 20C134 20 156 50 146 104C144 122 134 136 122 142C132 126 138 108 136 86C132 62 118 52 100 52C82 52 68 62 64 86C62 108 68 126 78 142C66 136 56 122 54 104Z',
        cloth,
      ) + lightLine('M62 72C70 44 90 36 112 38', INK),
    front:
      shape(
        'M70 134C84 150 116 150 130 134C146 148 152 160 158 172C128 192 72 192 42 172C48 160 56 146 70 134Z',
        cloth,
      ) + lightLine('M66 150C90 168 120 168 146 158M84 150C104 158 122 154 132 146', INK),
    top: 19,
    reach: 58,
    hidesEars: true,
  }),
  turban: (_hair, cloth) => ({
    above:
      shape('M82 56C90 48 110 48 118 56L100 42Z', '#fbf3e4') +
      shape('M58 78C46 44 68 10 100 10C132 10 154 44 142 78C134 64 118 50 100 40C82 50 66 64 58 78Z', cloth) +
      line(
        'M100 40C88 32 72 32 58 46M100 40C112 32 128 32 142 46M97 28C86 18 72 22 62 34M103 28C114 18 128 22 138 34',
        2,
      ),
    top: 8,
    reach: 48,
    hidesEars: true,
  }),
} as const satisfies Record<string, (hair: string, cloth: string) => Hair>

export type HairStyle = keyof typeof hairStyles

export const hairOf = (style: HairStyle, hair: string, cloth: string): Hair => hairStyles[style](hair, cloth)
