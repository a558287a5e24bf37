import { cap, centreParting, lightLine, type Hair } from './hair-parts.ts'
import { circle, cloud, ground, INK, line, shape, strands } from './shapes.ts'

/** Coily hair, and headwear. `hair` and `cloth` are colours. */
export const texturedHair = {
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
