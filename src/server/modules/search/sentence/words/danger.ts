/**
 * What a person may write who wants to die, harms themselves or is being hurt. A fixed list, matched before anything
 * else. The emergency numbers are rather shown once too often: nothing takes a phrase back, not even "not".
 */
export const dangerPhrases =
  'suicide, suicidal, suicidle, suicidial, suacidal, sucide, kill myself, killing myself, kill my self, killed himself, ' +
  'killed herself, want to kill, end my life, ending my life, end my own life, take my life, take my own life, ' +
  'taking my own life, taking my life, want to die, wanting to die, wanna die, want die, wants to die, wish i was dead, ' +
  'wish i were dead, wish i was not here, wish i wasnt here, wish i wasnt alive, wish i was not alive, ' +
  'wish i had never been born, wish i was never born, rather be dead, better off dead, better dead, want to be dead, ' +
  'wants to be dead, not be alive, dont want to be alive, not want to be alive, dont want to live, do not want to live, ' +
  'not want to live, no longer want to live, dont wanna live, dont wanna be here, dont want to be here, ' +
  'do not want to be here, not want to be here, dont want to wake up, not wake up again, never wake up, go to sleep forever, ' +
  'sleep and not wake up, hope i dont wake up, no point living, no point in living, no point being alive, ' +
  'no point in being alive, no point going on, no point anymore, no point in anything, see no point, dont see the point, cant see the point, no reason to live, nothing to live for, life not worth living, ' +
  'life isnt worth living, life is not worth living, isnt worth living, not worth living, tired of living, ' +
  'tired of being alive, sick of living, done with life, finished with life, end it all, ending it all, ' +
  'end it tonight, want it to end, want it all to end, want to end it, want everything to end, want it to be over, ' +
  'make it all stop forever, cant go on, cannot go on, cant carry on, cannot carry on, cant take it anymore, ' +
  'cant take this anymore, cant do this anymore, cannot do this anymore, better off without me, everyone would be better off, ' +
  'hang myself, hanging myself, shoot myself, drown myself, jump off, jump in front, jump from, overdose, overdosed, ' +
  'overdosing, od on, took too many pills, took too many tablets, taken too many tablets, taken too many pills, ' +
  'take all my pills, take all my tablets, swallowed pills, slit my wrists, cut my wrists, slitting my wrists, ' +
  'goodbye note, goodbye letter, say goodbye to everyone, unalive, unaliving, kms, kys, self harm, self harming, selfharm, ' +
  'selfharming, self injury, self injure, self injuring, self mutilation, hurt myself, hurting myself, harm myself, ' +
  'harming myself, cut myself, cutting myself, been cutting, started cutting, cutting again, cutting my, burn myself, burning myself, starve myself to death, ' +
  'punch myself, hitting myself, hit myself, not safe with myself, dont trust myself to be alone, in danger, ' +
  'im in danger, not safe, im not safe, dont feel safe, do not feel safe, unsafe at home, unsafe, scared for my life, ' +
  'afraid for my life, fear for my life, fear of my life, going to kill me, gonna kill me, will kill me, tried to kill me, ' +
  'threatened to kill, threatens to kill, threatening to kill, threatened me, threatens me, threatening me, hits me, hit me, ' +
  'hitting me, beats me, beat me, beating me, beaten by my, beats me up, beat me up, punches me, punched me, kicks me, ' +
  'kicked me, slaps me, slapped me, strangled me, strangles me, choked me, chokes me, grabbed my throat, hurts me, ' +
  'hurting me, attacks me, attacking me, attacked me, violent towards me, violent with me, violent to me, is violent, ' +
  'being beaten, being hit, being hurt, being abused, being attacked, being strangled, raped, rape, raping, rapes me, ' +
  'sexually assaulted, forces me, forced me to have sex, locks me in, locked me in, wont let me leave, held captive, ' +
  'scared of my husband, scared of my wife, scared of my partner, scared of my boyfriend, scared of my girlfriend, ' +
  'scared of my dad, scared of my father, scared of him, afraid of my husband, afraid of my partner, afraid of him, ' +
  'scared to go home, afraid to go home, has a knife, has a gun, with a knife, going to hurt me, hurt someone, ' +
  'hurt somebody, hurt other people, hurt my baby, harm my baby, hurt my kids, hurt my children, harm someone, kill someone, ' +
  'kill him, kill her, kill them, killing someone, killing somebody, killing him, killing her, killing them, ' +
  'feel like killing, thoughts of killing, thought of killing, thinking of killing, thinking about killing, might kill, ' +
  'going to kill, gonna kill, feel like dying, thoughts of dying, thought of dying, thinking of dying, thinking about dying, ' +
  'thoughts of death, hear voices telling me, voices tell me to, voices telling me to, ' +
  'mental health crisis, in crisis, 999'

/** May stand between the words of such a phrase: "want to just fucking die". */
export const dangerFillers =
  'a, an, the, to, so, really, just, even, ever, actually, still, do, all, also, always, often, sometimes, keep, kinda, sort, of, ' +
  'fucking, fuckin, effing, bloody, damn, only, again, now, right, not, any, more, very, much, my, own, truly, honestly, ' +
  'probably, maybe, like, physically, badly, constantly, regularly, basically, somehow, literally'
