import type { HairColour, Origin, SkinTone } from '../origins.ts'
import type { Random } from '../random.ts'
import type { ClothesStyle, Gesture, Pattern } from './clothes.ts'
import type { BeardStyle, EyeStyle, GlassesStyle, HeadShape, MouthStyle } from './face.ts'
import type { HairStyle } from './hair.ts'
import type { Scene } from './scene.ts'

/** Everything that decides how a practitioner is drawn; colours are six hexadecimal digits. */
export interface PortraitKey {
  hairStyle: HairStyle
  hair: string
  /** The colour of headwear and hair ties. */
  cloth: string
  brow: string
  skin: string
  headShape: HeadShape
  eyes: EyeStyle
  mouth: MouthStyle
  beard: BeardStyle | 'none'
  glasses: GlassesStyle | 'none'
  glassesColour: string
  marks: 'none' | 'freckles' | 'wrinkles'
  hasEarrings: boolean
  clothes: ClothesStyle
  clothing: string
  /** A collar, a pattern, a mug. */
  second: string
  pattern: Pattern
  gesture: Gesture
  /** Half the width of the shoulders. */
  shoulders: number
  /** Degrees. */
  tilt: number
  /** From -1, to the left, to 1. */
  turn: number
  isMirrored: boolean
  frame: 'close' | 'near' | 'half'
  /** From -1 to 1, sideways. */
  offset: number
  scene: Scene
  background: string
  /** A shade of the background. */
  tint: string
}

const skins: Readonly<Record<SkinTone, readonly string[]>> = {
  fair: ['f8d8c3', 'f5d0b5'],
  light: ['f0c7a6', 'ebbd97'],
  olive: ['dfb088', 'd8a67a'],
  tan: ['c9966c', 'be8a60'],
  brown: ['a86f4b', '9c6542'],
  deep: ['94644a', '885a42'],
}
const hairs: Readonly<Record<HairColour | 'grey', readonly string[]>> = {
  black: ['2b2422', '332b29'],
  dark: ['3e2c25', '4a342b'],
  brown: ['694731', '7a553b'],
  fair: ['c29a58', 'b38a4c'],
  red: ['a85a32', '975233'],
  grey: ['a9a39a', 'c4beb4', '8f8981'],
}
/** From the product's own warm, muted palette: greens, clay, ochre, slate, plum. */
const clothing = [
  '6f9a80',
  '356b54',
  'a9c9b1',
  'e08a5c',
  'bd6a4c',
  'd9b067',
  '7b93a5',
  '51687a',
  '95707f',
  'c3b49c',
]
const seconds = ['fffaf0', 'ecd9bd', 'fffaf0', 'c9dccb', 'f0cdb3', 'e8c98a', 'c7d3db']
/** A background and a shade of it. */
const backgrounds = [
  ['f0e3cd', 'e4d0b0'],
  ['e3eadc', 'c9dccb'],
  ['f4dfce', 'ebc9b0'],
  ['dfe7ea', 'c4d2d9'],
  ['efe2e0', 'dfc6c6'],
  ['f5e7c4', 'ead099'],
  ['c9dccb', 'afcdb6'],
  ['e9c9b0', 'deb295'],
] as const
const cloths = ['6f9a80', 'd98a61', '7b93a5', '95707f', 'd9b067']
const hijabs = ['4f7d68', '51687a', '95707f', '7a5a4b', 'c98a6a']

const beards: readonly BeardStyle[] = ['full', 'short', 'stubble', 'moustache', 'goatee']
const turbanBeards: readonly BeardStyle[] = ['full', 'flowing']
const glasses: readonly GlassesStyle[] = ['round', 'square', 'slim']

/** Heads of hair without a tie or a cloth. */
const untied = new Set<HairStyle>(['fringe', 'lowBun', 'setWaves', 'softCrop', 'brushedBack', 'balding'])

const heads = {
  female: {
    straight: [
      'fringe',
      'sweptFringe',
      'topBun',
      'long',
      'longFringe',
      'bob',
      'shoulder',
      'wavy',
      'ponytail',
      'sideBraid',
    ],
    coily: ['afro', 'headwrap', 'topBun', 'cornrows', 'boxBraids', 'locs', 'longCurls', 'twists', 'bigCurls'],
    older: ['lowBun', 'setWaves', 'fringe', 'bob', 'shoulder'],
  },
  male: {
    straight: ['crop', 'sidePart', 'tousled', 'brushedBack', 'curlyTop', 'quiff', 'softCrop', 'fade'],
    coily: ['afro', 'flatTop', 'crop', 'buzz', 'twists', 'twistFade', 'fade', 'bald', 'shortLocs'],
    older: ['softCrop', 'balding', 'bald', 'sidePart', 'brushedBack'],
  },
  neutral: {
    straight: ['brushedBack', 'curlyTop', 'bob', 'fade', 'fringe', 'tousled'],
    coily: ['afro', 'twists', 'shortLocs', 'buzz', 'topBun'],
    older: ['softCrop', 'brushedBack', 'bob'],
  },
} as const satisfies Record<string, Record<string, readonly HairStyle[]>>

interface Sitter {
  gender: 'female' | 'male' | 'neutral'
  age: number
  origin: Origin
}

/**
 * Chooses a face that goes with gender, age and origin; calm or lightly smiling, always. `pose` is a stream of its own,
 * so that a change of what it decides leaves all other facts of a person as they are.
 */
export function choosePortrait(sitter: Sitter, random: Random, pose: Random): PortraitKey {
  const { gender, age, origin } = sitter
  const grey = random.chance(age >= 66 ? 0.92 : age >= 57 ? 0.65 : age >= 50 ? 0.25 : 0)
  const hair = random.pick(hairs[grey ? 'grey' : random.pick(origin.hair)])
  const hijab = gender === 'female' && random.chance(origin.headwear?.hijab ?? 0)
  const turban = gender === 'male' && random.chance(origin.headwear?.turban ?? 0)
  const list: readonly HairStyle[] =
    age >= 57 && origin.texture === 'straight' ? heads[gender].older : heads[gender][origin.texture]
  const hairStyle: HairStyle = hijab ? 'hijab' : turban ? 'turban' : random.pick(list)
  const beard =
    gender === 'male' ? (turban ? 1 : origin.headwear ? 0.6 : 0.36) : gender === 'neutral' ? 0.08 : 0
  const hasBeard = random.chance(beard)
  const smiles = random.chance(0.5)
  const beardStyle = hasBeard ? random.pick(turban ? turbanBeards : beards) : 'none'
  const glassesStyle = random.chance(age >= 50 ? 0.42 : 0.22) ? random.pick(glasses) : 'none'
  const skin = random.pick(skins[random.pick(origin.skin)])
  const headCloth = hijab ? random.pick(hijabs) : undefined
  const tie = untied.has(hairStyle) || hairStyle === 'cornrows' ? undefined : random.pick(cloths)
  const top = random.pick(clothing)
  const [background, tint] = random.pick(backgrounds)
  return {
    hairStyle,
    hair,
    cloth: headCloth ?? tie ?? 'ecd9bd',
    brow: grey ? '6f6862' : hair,
    skin,
    beard: beardStyle,
    glasses: glassesStyle,
    clothing: top,
    background,
    tint,
    ...posture({ ...sitter, smiles, top }, pose),
    // Large hair, headwear and a second frame would hide each other.
    ...(glassesStyle !== 'none' && gender !== 'male' && pose.chance(0.5)
      ? { glasses: pose.pick(['large', 'pointed'] as const) }
      : {}),
  }
}

/** How a practitioner sits, looks and is dressed, and what is seen of it. */
function posture({ gender, age, smiles, top }: Sitter & { smiles: boolean; top: string }, pose: Random) {
  const dressed: readonly ClothesStyle[] =
    gender === 'male'
      ? ['crew', 'shirt', 'shirt', 'blazer', 'rollNeck', 'cardigan', 'hood', 'vNeck']
      : gender === 'female'
        ? ['crew', 'vNeck', 'wrap', 'blouse', 'cardigan', 'rollNeck', 'scarf', 'blazer', 'shirt', 'dungarees']
        : ['crew', 'shirt', 'cardigan', 'hood', 'dungarees', 'rollNeck', 'scarf']
  const clothesStyle = pose.pick(dressed)
  const plain = ['blazer', 'dungarees', 'scarf', 'blouse', 'cardigan'].includes(clothesStyle)
  const gesture = pose.weighted<{ key: Gesture; weight: number }>([
    { key: 'none', weight: 64 },
    { key: 'chin', weight: 9 },
    { key: 'mug', weight: 9 },
    { key: 'crossed', weight: 9 },
    { key: 'notebook', weight: 9 },
  ]).key
  const turn = pose.pick([-1, -0.6, 0, 0, 0.6, 1])
  return {
    headShape: pose.pick<HeadShape>(
      gender === 'male' ? ['oval', 'square', 'square', 'long'] : ['oval', 'round', 'oval', 'long'],
    ),
    eyes: pose.pick<EyeStyle>(
      gender === 'female'
        ? ['dots', 'lashes', 'lashes', 'lidded', 'smiling']
        : ['dots', 'lidded', 'dots', 'smiling'],
    ),
    mouth: pose.pick<MouthStyle>(
      smiles
        ? gender === 'female'
          ? ['smile', 'open', 'lips']
          : ['smile', 'open', 'smile']
        : gender === 'female'
          ? ['soft', 'aside', 'lips']
          : ['soft', 'aside'],
    ),
    marks: age >= 55 ? ('wrinkles' as const) : pose.chance(0.1) ? ('freckles' as const) : ('none' as const),
    hasEarrings: gender !== 'male' && pose.chance(0.5),
    glassesColour: pose.pick(['3a332a', '3a332a', '7a4a35', '51687a', '95503a']),
    clothes: clothesStyle,
    second: pose.pick(seconds.filter((colour) => colour !== top)),
    pattern: plain || pose.chance(0.62) ? ('none' as const) : pose.pick<Pattern>(['stripes', 'dots', 'knit']),
    gesture,
    shoulders: gender === 'male' ? pose.int(86, 94) : pose.int(74, 84),
    tilt: pose.int(-6, 6),
    turn,
    isMirrored: pose.chance(0.5),
    frame: pose.pick(['close', 'near', 'near', 'half'] as const),
    offset: pose.int(-10, 10) / 10,
    scene: pose.pick<Scene>([
      'plain',
      'arch',
      'arch',
      'sun',
      'hill',
      'window',
      'shelf',
      'plant',
      'lamp',
      'picture',
    ]),
  }
}
