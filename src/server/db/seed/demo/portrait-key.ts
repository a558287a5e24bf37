import type { openPeeps } from '@dicebear/collection'
import type { HairColour, Origin, SkinTone } from './origins.ts'
import type { Random } from './random.ts'

type Drawn = openPeeps.Options
type Head = NonNullable<Drawn['head']>[number]
type Face = NonNullable<Drawn['face']>[number]
type FacialHair = NonNullable<Drawn['facialHair']>[number]
type Glasses = NonNullable<Drawn['accessories']>[number]

/** Everything that decides how a practitioner is drawn; colours are six hexadecimal digits. */
export interface PortraitKey {
  head: Head
  face: Face
  facialHair: FacialHair | null
  glasses: Glasses | null
  skin: string
  hair: string
  /** Second colour of some heads: a scarf, a turban or lighter hair. */
  headDetail: string
  clothing: string
  background: string
}

const skins: Readonly<Record<SkinTone, readonly string[]>> = {
  fair: ['f6d3bd', 'f3cbb0'],
  light: ['ecbf9c', 'e9b792'],
  olive: ['dba97f', 'd6a177'],
  tan: ['c48d63', 'b98258'],
  brown: ['a06c47', '945f3c'],
  deep: ['855740', '7a4d37'],
}
const hairs: Readonly<Record<HairColour | 'grey', readonly string[]>> = {
  black: ['262120', '2b2422'],
  dark: ['3b2a23', '46302a'],
  brown: ['62432f', '745037'],
  fair: ['b58d4f', 'a9824c'],
  red: ['a2552e', '93502f'],
  grey: ['8b8681', 'a19b94', '77726e'],
}
/** From the product's own warm, muted palette: greens, clay, ochre, slate, plum. */
const clothes = [
  '5f8a72',
  '3f6b57',
  '8aa993',
  'c9805c',
  'b5654a',
  'd2a65f',
  '6f8494',
  '4d6272',
  '8c6a78',
  'a89a86',
]
const backgrounds = ['efe4d0', 'e6dcc6', 'dfe6d8', 'd3dfd2', 'f0dccb', 'e9d2c2', 'dde1e2', 'ece2dc']
const beards: readonly FacialHair[] = ['full', 'full', 'full2', 'chin', 'goatee1']
const turbanBeards: readonly FacialHair[] = ['full2', 'full3']
const glasses: readonly Glasses[] = ['glasses', 'glasses2', 'glasses5']
const BRAID_LINES = '6b4a3d'
const scarves = ['5f8a72', 'c9805c', '6f8494', '8c6a78', 'd2a65f']

/** Heads whose second colour is hair, not cloth. */
const hairDetail = new Set<Head>([
  'bangs',
  'grayBun',
  'grayMedium',
  'grayShort',
  'mediumBangs2',
  'short4',
  'noHair3',
])

const heads = {
  female: {
    straight: [
      'bangs',
      'bangs2',
      'bun2',
      'long',
      'longBangs',
      'medium1',
      'medium2',
      'medium3',
      'mediumBangs',
      'mediumBangs3',
    ],
    coily: ['afro', 'bun', 'bun2', 'cornrows', 'cornrows2', 'dreads1', 'longCurly', 'twists', 'longAfro'],
    older: ['grayBun', 'grayMedium', 'bangs', 'medium1', 'medium2'],
  },
  male: {
    straight: ['short1', 'short2', 'short3', 'short4', 'short5', 'pomp', 'grayShort', 'shaved2'],
    coily: ['afro', 'flatTop', 'short1', 'short2', 'twists', 'twists2', 'shaved1', 'noHair1', 'dreads2'],
    older: ['grayShort', 'noHair3', 'noHair1', 'short2', 'short4'],
  },
  neutral: {
    straight: ['short4', 'short5', 'medium1', 'shaved2', 'bangs', 'short3'],
    coily: ['afro', 'twists', 'dreads2', 'shaved1', 'bun2'],
    older: ['grayShort', 'short4', 'medium1'],
  },
} as const satisfies Record<string, Record<string, readonly Head[]>>

/** Chooses a face that goes with gender, age and origin; calm or lightly smiling, always. */
export function choosePortrait(
  person: { gender: 'female' | 'male' | 'neutral'; age: number; origin: Origin },
  random: Random,
): PortraitKey {
  const { gender, age, origin } = person
  const grey = random.chance(age >= 66 ? 0.92 : age >= 57 ? 0.65 : age >= 50 ? 0.25 : 0)
  const hair = random.pick(hairs[grey ? 'grey' : random.pick(origin.hair)])
  const hijab = gender === 'female' && random.chance(origin.headwear?.hijab ?? 0)
  const turban = gender === 'male' && random.chance(origin.headwear?.turban ?? 0)
  const list: readonly Head[] =
    age >= 57 && origin.texture === 'straight' ? heads[gender].older : heads[gender][origin.texture]
  const head: Head = hijab ? 'hijab' : turban ? 'turban' : random.pick(list)
  const beard =
    gender === 'male' ? (turban ? 1 : origin.headwear ? 0.6 : 0.36) : gender === 'neutral' ? 0.08 : 0
  const hasBeard = random.chance(beard)
  return {
    head,
    face: random.chance(0.5) ? 'calm' : 'smile',
    facialHair: hasBeard ? random.pick(turban ? turbanBeards : beards) : null,
    glasses: random.chance(age >= 50 ? 0.42 : 0.22) ? random.pick(glasses) : null,
    skin: random.pick(skins[random.pick(origin.skin)]),
    // A scarf is drawn in the colour of hair, so it takes a colour of its own.
    hair: hijab ? random.pick(['3f6b57', '4d6272', '8c6a78', '6b4a3d', '2f3a40']) : hair,
    headDetail: hairDetail.has(head) ? hair : head === 'cornrows' ? BRAID_LINES : random.pick(scarves),
    clothing: random.pick(clothes),
    background: random.pick(backgrounds),
  }
}
