import {
  centreParting,
  sideParting,
  straightFringe,
  sweptFringe,
  sweptBack,
  chinLength,
  shoulderLength,
  longStraight,
  longWaves,
  lightLine,
  shine,
  type Hair,
} from './hair-parts.ts'
import { texturedHair } from './hair-textured.ts'
import { braid, circle, cloud, ground, INK, shape } from './shapes.ts'

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
  ...texturedHair,
} as const satisfies Record<string, (hair: string, cloth: string) => Hair>

export type HairStyle = keyof typeof hairStyles

export const hairOf = (style: HairStyle, hair: string, cloth: string): Hair => hairStyles[style](hair, cloth)
