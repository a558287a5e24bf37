/** Words in capitals of the phrases below stand for each of these. */
const forms: Readonly<Record<string, string>> = {
  SELF: 'myself, my self, meself, himself, him self, herself, her self, themselves, them selves, themself',
  MY: 'my, his, her, their',
  DONT: 'dont, doesnt, didnt',
  CANT: 'cant, cannot, can not',
  WANT: 'want, wanting, wanted',
  ANYMORE: 'anymore, any more, any longer, no more',
  IT: 'it, this, life',
  GOING: 'going to, gonna, about to, planning to, plan to, ready to',
  THINKING:
    'thinking about, thinking of, think about, thought about, thought of, thoughts about, thoughts of, feel like, feels like',
  LIVING:
    'living, in living, of living, being alive, in being alive, of being alive, going on, in going on, of going on',
  TOOK: 'took, taken, swallowed',
  LOAD:
    'load, lot, bunch, handful, packet, pack, bottle, box, whole packet, whole bottle, whole box, all, all his, all her, ' +
    'all their, too many, 10, 12, 15, 16, 20, 24, 30, 32, 40, 50, 60, 100, ten, twenty, thirty, forty, fifty',
  PILLS: 'pills, tablets, paracetamol, painkillers',
  // Not what is also said of a feeling or of an illness, as "hurts" and "attacks".
  HIT:
    'hit, hits, hitting, beat, beats, beating, punch, punches, punched, punching, slap, slaps, slapped, slapping, ' +
    'smacks, smacked, smacking, strangle, strangles, strangled, strangling, stab, stabs, stabbed, stabbing, ' +
    'attacked, attacking, batters, battered, abusing, threatens, threatened, threatening',
  MUM:
    'mum, mother, mam, mom, dad, father, sister, brother, son, daughter, kid, child, children, baby, wife, husband, ' +
    'girlfriend, boyfriend, partner',
  AFRAID: 'scared, afraid, frightened, terrified, petrified',
  PARTNER: 'husband, wife, partner, boyfriend, girlfriend, ex',
  WHO:
    'he, she, they, who, husband, wife, partner, boyfriend, girlfriend, ex, dad, father, stepdad, step dad, mum, mother, ' +
    'brother, uncle, son',
  HURTS: 'hurts, hurt, abuses, abused, attacks, kicks, kicked, chokes, choked',
  KID: 'kid, child, children, baby, daughter, son',
  TRY:
    'want to, wants to, wanted to, wanting to, try to, tries to, trying to, tried to, attempt to, attempted to, attempting to, ' +
    'threatens to, threatened to, threatening to, will, ill, hell, shell, would, could, might, may',
  TRAIN: 'train, bus, lorry, truck, traffic, tube',
  WALK: 'step, stepping, stepped, walk, walking, run, running, jump, jumping',
  WATER: 'river, thames, sea, canal, water',
}

/** Who wants to die, in their own words or in those of who loves them. */
const wantsToDie =
  'suicide, suicidal, suicidle, suicidial, suacidal, sucide, kill SELF, killing SELF, killed SELF, end my life, ' +
  'TRY end MY life, GOING end MY life, ending MY life, ended MY life, ' +
  'TRY take MY life, GOING take MY life, take my life, taking MY life, take MY own life, took MY own life, taken MY own life, ' +
  'top SELF, ' +
  'topping SELF, topped SELF, do SELF in, doing SELF in, did SELF in, done SELF in, away with SELF, WANT to off SELF, ' +
  'GOING off SELF, offing SELF, offed SELF, neck SELF, finish SELF off, hang SELF, hanging SELF, hanged SELF, ' +
  'hung SELF, shoot SELF, shot SELF, drown SELF, drowned SELF, stab SELF, stabbed SELF, poison SELF, poisoned SELF, ' +
  'throw SELF off, throw SELF under, throw SELF in front, threw SELF off, threw SELF under, threw SELF in front, ' +
  'WANT to kill, WANT to die, wanna die, want die, wants to die, WANT to be dead, wanna be dead, WANT to disappear forever, ' +
  'wish i was dead, wish i were dead, wishes he was dead, wishes she was dead, wish i was not here, wish i wasnt here, ' +
  'wish i wasnt alive, wish i was not alive, wish i had never been born, wish i was never born, wish id never been born, ' +
  'rather be dead, better off dead, better dead, not be alive, rather not be here, ' +
  'DONT want to be alive, not want to be alive, dont want to live, not want to live, live in this world, be in this world, no longer want to live, ' +
  'no longer wants to live, dont wanna live, dont wanna be here, DONT want to be here, not want to be here, ' +
  'DONT want to exist, not want to exist, DONT want to wake up, not want to wake up, not wake up again, never wake up, ' +
  'go to sleep forever, sleep and not wake up, hope i dont wake up, no point LIVING, no point carrying on, ' +
  'no point in carrying on, no point ANYMORE, no point in anything, see no point, dont see the point, DONT see the point LIVING, DONT see the point in life, DONT see the point in anything, ' +
  'DONT see the point ANYMORE, CANT see the point, ' +
  'whats the point LIVING, what is the point LIVING, whats the point ANYMORE, no reason to live, nothing to live for, ' +
  'will to live, life not worth living, life isnt worth living, life is not worth living, isnt worth living, ' +
  'not worth living, tired of living, tired of being alive, tired of life, sick of living, sick of life, sick of being alive, ' +
  'fed up of living, fed up with living, had enough of life, had enough of living, hate being alive, done with life, ' +
  'finished with life, end it all, ending it all, end it tonight, WANT it to end, WANT it all to end, ' +
  'WANT to end it, wanna end it, THINKING ending everything, end it with PILLS, ending it with PILLS, ' +
  'want everything to end, WANT it to be over, want it all to be over, make it all stop forever, ' +
  'CANT go on, CANT carry on, DONT want to go on with life, not want to go on with life, carry on with life, ' +
  'CANT keep going on like, CANT cope ANYMORE, CANT live like this, CANT face another day, ' +
  'CANT take IT ANYMORE, CANT do IT ANYMORE, CANT stand IT ANYMORE, CANT bear IT ANYMORE, ' +
  'CANT live ANYMORE, better off without me, better without me, ' +
  'everyone would be better off, do something stupid, do something silly, jump off, jumping off, jumped off, jump in front, ' +
  'jumping in front, jump from, jump out of window, ' +
  'jump under, jump in WATER, jump into WATER, in front of TRAIN, WALK in front of car, under TRAIN, ' +
  'overdose, overdosed, overdosing, od on, TOOK LOAD PILLS, TOOK LOAD meds, take all PILLS, taking all PILLS, take too many PILLS, ' +
  'taking too many PILLS, swallowed PILLS, goodbye note, goodbye letter, suicide note, ' +
  'say goodbye to everyone, unalive, unaliving, kms, kys, feel like dying, THINKING dying, THINKING not being here, ' +
  'THINKING not being alive, thoughts of death'

/** The same, where nothing follows that says of what: "doesn't want to go on", and not "on the school trip". */
const wantsToDieAtTheEnd =
  'to end MY life, DONT want to go on, not want to go on, DONT want to carry on, not want to carry on, ' +
  'DONT want to keep going, DONT see the point, CANT keep going, GOING end it, THINKING ending it, GOING jump'

/** The same, unless what follows says of what: "doesn't want to live", and not "with me". */
const wantsToDieUnless =
  'doesnt want to live, didnt want to live, take MY life, took MY life, CANT take ANYMORE, CANT take much more'

const harmsThemself =
  'slit MY wrists, slitting MY wrists, slash MY wrists, slashed MY wrists, cut MY wrists, cutting MY wrists, cut MY arms, ' +
  'cutting MY arms, self harm, self harming, self harmed, selfharm, selfharming, selfharmed, self injury, self injure, ' +
  'self injuring, self mutilation, hurt SELF, hurting SELF, harm SELF, harming SELF, harmed SELF, cut SELF, cutting SELF, ' +
  'been cutting, started cutting, cutting again, cutting my, burn SELF, burning SELF, starve SELF to death, punch SELF, ' +
  'punching SELF, hitting SELF, hit SELF, not safe with SELF, dont trust SELF to be alone, AFRAID of what i might do, ' +
  'AFRAID of what ill do, AFRAID of what i will do'

const isInDanger =
  'in danger, im in danger, not safe, im not safe, dont feel safe, do not feel safe, unsafe at home, unsafe, ' +
  'AFRAID for MY life, fear for MY life, fear of MY life, fearing for MY life, going to kill me, gonna kill me, ' +
  'will kill me, tried to kill me, threatened to kill, threatened to hurt, threatened to hit, threatens to kill, threatens to hurt, threatens to hit, ' +
  'threatening to kill, threatening to hurt, threatening to hit, HIT me, attacks me, kicks me, kicked me, kicking me, chokes me, choked me, choking me, hurt me, hurts me, hurting me, ' +
  'abuses me, WHO HURTS MUM, is hurting MUM, is abusing MUM, is attacking MUM, is kicking MUM, is choking MUM, ' +
  'hurts KID, hurting KID, HIT MUM, hits her, hitting her, beats her, beating her, hits him, beats him, beaten by my, beats me up, ' +
  'beat me up, grabbed my throat, ' +
  'grabbed me by the throat, hands round my throat, hands around my throat, hands on my throat, hand over my mouth, ' +
  'hands round my neck, hands around my neck, hands round her throat, hands around her throat, pinned me down, ' +
  'held me down, threw me against, threw me down, pushed me down, dragged me by, ' +
  'violent towards me, violent with me, violent to me, is violent, gets violent, got violent, turned violent, turns violent, ' +
  'being violent, been violent, being beaten, being hit, being hurt, being abused, being attacked, being strangled, ' +
  'being stalked, stalking me, raped, rape, raping, rapes me, sexually assaulted, forces me, forced me to have sex, ' +
  'locks me in, locked me in, wont let me leave, held captive, AFRAID of him, AFRAID of PARTNER, AFRAID of dad, AFRAID of father, AFRAID of stepdad, AFRAID of step dad, ' +
  'AFRAID of mums PARTNER, ' +
  'AFRAID to go home, ' +
  'has a knife, got a knife, has a gun, got a gun, with a knife, pulled a knife, going to hurt me'

const isInDangerAtTheEnd = 'AFRAID of her, AFRAID of mum, AFRAID of mother'

const mayHarmOthers =
  'hurt someone, hurt somebody, hurt other people, hurt my baby, harm my baby, hurt my kids, hurt my children, ' +
  'harm someone, kill someone, kill him, kill her, kill them, killing someone, killing somebody, killing him, killing her, ' +
  'killing them, THINKING killing, might kill, going to kill, gonna kill, hear voices telling me, voices tell me to, ' +
  'voices telling me to, mental health crisis, in crisis, 999'

/** A phrase with each word in capitals replaced by each of its forms. */
function written(phrase: string): string[] {
  let begun = ['']
  for (const word of phrase.split(' ')) {
    const each = forms[word]?.split(', ') ?? [word]
    begun = begun.flatMap((start) => each.map((form) => `${start} ${form}`))
  }
  return begun
}

const allOf = (...lists: string[]) =>
  lists
    .flatMap((phrases) => phrases.split(', '))
    .flatMap(written)
    .join(', ')

/**
 * What a person may write who wants to die, harms themselves or is being hurt, or who loves such a person. A fixed list,
 * matched before anything else. The emergency numbers are rather shown once too often: but for the phrases below, nothing
 * around a phrase takes it back, not even "not".
 */
export const dangerPhrases = allOf(wantsToDie, harmsThemself, isInDanger, mayHarmOthers)

/** The same, of phrases that mean it only where their clause ends, or goes on with one of these words. */
export const dangerEndings = allOf(wantsToDieAtTheEnd, isInDangerAtTheEnd)
export const afterDangerEndings =
  'like, anymore, any, no, longer, without, after, since, because, cos, and, but, so, i, im, ive, please, help, now, ' +
  'tonight, today, tomorrow, soon, once, this, way, alone, when, if, or, he, she, they, living, existing, being, feeling, ' +
  'hurting, suffering, fighting, at, time, most, home'

/** The same, of phrases that do not mean it before one of these words. */
export const dangerUnless = allOf(wantsToDieUnless)
export const harmlessAfter =
  'with, near, in, at, together, apart, abroad, there, seriously, back, story, savings, time, work, leave, holiday, calls, ' +
  'clients, shifts, days, hours, sessions, off, on'

/** May stand between the words of such a phrase: "want to just fucking die". */
export const dangerFillers =
  'a, an, the, to, too, so, really, just, even, ever, actually, still, do, all, also, always, often, sometimes, keep, kinda, sort, of, ' +
  'fucking, fuckin, effing, bloody, damn, only, again, now, right, not, any, more, very, much, my, our, his, her, their, own, truly, honestly, ' +
  'probably, maybe, like, physically, badly, constantly, regularly, basically, somehow, literally'
