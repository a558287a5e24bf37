/**
 * What people call an issue, by its name in the reference list. Phrases are separated by commas; a phrase under two
 * names means either. Plurals and one typing mistake in a word of five letters or more are understood without an entry.
 */
export const issueWords: Readonly<Record<string, string>> = {
  Anxiety:
    'anxiety, anxious, fearful, afraid, anxiousness, worrying, worry, worried, worrier, overthinking, overthink, overthinker, ' +
    'catastrophising, on edge, nervous, nerves, nervy, panicky, dread, sense of dread, constant dread, racing thoughts, ' +
    'racing mind, mind racing, cant switch off, cant relax, cant calm down, worked up, jittery, butterflies, gad, ' +
    'generalised anxiety, generalised anxiety disorder, generalized anxiety disorder, anxiety disorder, anxiety attacks, ' +
    'tight chest, knot in my stomach, frightened all the time, scared all the time, always worried, worry about everything, ' +
    'worried sick, exam nerves, test anxiety, exam anxiety, separation anxiety',
  Depression:
    'depression, depressed, depressive, depressing, low, low mood, feeling low, feeling down, feel down, down in the dumps, ' +
    'feeling blue, the blues, sad, sadness, tearful, crying, cry all the time, cry every day, dont enjoy anything, nothing makes me happy, crying all the time, cant stop crying, ' +
    'stop crying, hopeless, hopelessness, despair, despairing, numb, feeling numb, feel nothing, feeling nothing, empty, emptiness, feeling empty, ' +
    'feeling flat, no energy, no motivation, unmotivated, no interest in anything, lost interest, no joy, joyless, ' +
    'miserable, unhappy, unhappiness, melancholy, black dog, dark place, cant get out of bed, cant get up, ' +
    'seasonal affective disorder, winter blues, in a rut, fed up with life, fed up with everything, gloomy, dysthymia, ' +
    'persistent depression, clinical depression, clinically depressed, major depression, depressive episode',
  Stress:
    'stress, stressed, stressed out, stressful, stressing, overwhelm, overwhelmed, overwhelming, under pressure, ' +
    'too much pressure, pressure, too much on my plate, too much on, cant cope, not coping, struggling to cope, tense, ' +
    'tension, frazzled, frayed, at breaking point, end of my tether, wits end, at the end of my rope, juggling everything, ' +
    'spread too thin, no time for myself, exam stress, money worries, debt, debts, financial worries, financial stress, ' +
    'stress management, stress levels, headless chicken',
  'Panic attacks':
    'panic attacks, panic attack, panic, panicking, panics, panic disorder, heart racing, racing heart, cant breathe, ' +
    'hyperventilating, hyperventilate, palpitations, heart palpitations, agoraphobia, agoraphobic, crowds, crowded places, going outside, leave the house, leaving the house, sudden fear, ' +
    'afraid to leave the house, scared to leave the house, scared to go out',
  'Social anxiety':
    'social anxiety, socially anxious, social phobia, social anxiety disorder, shy, shyness, painfully shy, awkward, ' +
    'socially awkward, public speaking, fear of public speaking, phobia of public speaking, scared of public speaking, ' +
    'presentations, fear of people, scared of people, afraid of people, being judged, fear of being judged, ' +
    'meeting people, meeting new people, parties, blush, hate parties, blushing, fear of blushing, stage fright, phone anxiety, ' +
    'scared of the phone, awkward in groups, selective mutism',
  'Obsessive-compulsive disorder':
    'obsessive compulsive disorder, ocd, obsessive compulsive, obsessive thoughts, obsessions, obsessive, compulsions, ' +
    'compulsive, intrusive thoughts, unwanted thoughts, rituals, checking, checking the locks, keep checking, germs, ' +
    'contamination, hand washing, washing my hands, counting things, pure o, hoarding, hoarder, hair pulling, ' +
    'trichotillomania, skin picking, pick my skin, wash my hands, cant throw anything away, dermatillomania, tics',
  Phobias:
    'phobias, phobia, phobic, irrational fear, fear of flying, scared of flying, afraid of flying, ' +
    'fear of needles, scared of needles, needle phobia, needles, fear of heights, scared of heights, heights, ' +
    'fear of spiders, scared of spiders, spiders, spider phobia, arachnophobia, claustrophobia, claustrophobic, ' +
    'enclosed spaces, fear of lifts, lifts, emetophobia, fear of being sick, fear of vomiting, scared of dogs, ' +
    'fear of dogs, fear of driving, scared of driving, scared to drive, dentist phobia, fear of the dentist, ' +
    'scared of the dentist, fear of the dark, scared of the dark, blood phobia, fear of blood, fear of water, trypophobia',
  'Health anxiety':
    'health anxiety, hypochondria, hypochondriac, hypochondriasis, illness anxiety, cyberchondria, always googling symptoms, ' +
    'googling symptoms, dr google, convinced i have cancer, convinced ive got cancer, convinced i am ill, convinced im ill, ' +
    'convinced im dying, fear of illness, fear of dying, scared of dying, fear of death, scared of death, afraid of dying, ' +
    'afraid of death, think im dying, worried about my health, worry about my health, scared of getting ill, ' +
    'fear of cancer, fear of getting ill, death anxiety',
  'Sleep problems':
    'sleep problems, sleep, sleeping, sleeping problems, trouble sleeping, difficulty sleeping, problems sleeping, ' +
    'cant sleep, not sleeping, dont sleep, no sleep, sleepless, sleepless nights, insomnia, insomniac, awake all night, ' +
    'up all night, wake up at night, waking up at night, keep waking up, waking at 3am, wide awake, bad sleep, poor sleep, ' +
    'never sleep, sleep deprived, night terrors, nightmares, bad dreams, sleepwalking, cant get to sleep, cbt i, ' +
    'sleep disorder',
  Burnout:
    'burnout, burnt out, burned out, burn out, burning out, exhausted, exhaustion, worn out, knackered, shattered, ' +
    'running on empty, drained, emotionally drained, run into the ground, no energy left, nothing left in the tank, ' +
    'running on fumes, signed off, signed off work, signed off with stress, compassion fatigue, overworked, overworking, ' +
    'workaholic, cannot go on like this at work',
  'Work and career':
    'work and career, at work, about work, my work, job stress, career, careers, my job, hate my job, hate work, work problems, work stress, ' +
    'problems at work, workplace, boss, my boss, horrible boss, toxic boss, manager, colleagues, coworkers, ' +
    'bullied at work, bullying at work, workplace bullying, office politics, redundancy, redundant, made redundant, ' +
    'lost my job, losing my job, sacked, fired, laid off, unemployed, unemployment, out of work, career change, ' +
    'changing careers, new job, job interview, job interviews, work life balance, returning to work, back to work, ' +
    'performance anxiety at work, disciplinary, retraining, dead end job, work is doing my head in, toxic workplace',
  'Self-esteem':
    'self esteem, low self esteem, no self esteem, confidence, low confidence, no confidence, lack of confidence, ' +
    'lacking confidence, self confidence, self worth, worthless, worthlessness, feeling worthless, not good enough, ' +
    'never good enough, useless, feel useless, loser, feel like a loser, failure, feel like a failure, the way i look, how i look, hate myself, self hatred, self loathing, ' +
    'self critical, self criticism, inner critic, hard on myself, too hard on myself, insecure, insecurity, insecurities, ' +
    'imposter syndrome, impostor syndrome, imposter, perfectionism, perfectionist, people pleasing, people pleaser, ' +
    'cant say no, boundaries, setting boundaries, assertiveness, assertive, shame, ashamed, guilt, guilty, feel ugly, ' +
    'self doubt, procrastination, procrastinating, self sabotage, unlovable',
  'Grief and loss':
    'grief and loss, grief, grieving, grieve, bereavement, bereaved, loss, mourning, in mourning, passed away, died, ' +
    'lost someone, lost my mum, lost my dad, lost my mother, lost my father, lost my husband, lost my wife, ' +
    'lost my partner, lost my son, lost my daughter, lost my brother, lost my sister, lost my friend, lost my gran, ' +
    'lost my nan, lost my grandad, lost my dog, lost my cat, widow, widowed, widower, funeral, death of, death, ' +
    'killed himself, killed herself, suicide of, mum died, dad died, husband died, wife died, death in the family, ' +
    'coping with loss, pet loss, anniversary of a death, terminally ill relative, is dying',
  'Life changes':
    'life changes, life change, big changes, transition, transitions, life transition, adjusting, moving house, ' +
    'moved house, relocation, relocating, retirement, retiring, retired, empty nest, kids left home, kids have left home, children have left home, children left home, ' +
    'midlife, midlife crisis, mid life crisis, quarter life crisis, turning 30, turning 40, turning 50, turning 60, ' +
    'menopause, menopausal, perimenopause, perimenopausal, starting uni, starting university, left uni, ' +
    'lost direction, no direction, feeling lost, feel lost, feeling stuck, feel stuck, stuck in life, at a crossroads, ' +
    'crossroads, what to do with my life, no purpose, growing older, ageing, getting older',
  Loneliness:
    'loneliness, lonely, loner, lonesome, alone, all alone, so alone, on my own, isolated, isolation, no friends, know nobody, know no one, dont know anyone, ' +
    'no mates, no one to talk to, nobody to talk to, noone to talk to, left out, dont fit in, no social life, ' +
    'making friends, cant make friends, friendless, disconnected',
  Anger:
    'anger, angry, anger management, anger issues, rage, raging, furious, short fuse, short tempered, short temper, temper, ' +
    'bad temper, losing my temper, lose my temper, lost my temper, lash out, lashing out, snapping, snap at, ' +
    'snapping at everyone, irritable, irritability, irritated, explode, exploding, outbursts, red mist, see red, ' +
    'resentment, resentful, bitter, road rage, aggressive, aggression, shouting, flying off the handle, hot headed',
  'Eating difficulties':
    'eating difficulties, eating disorder, eating disorders, eating problems, eating, disordered eating, anorexia, ' +
    'anorexic, bulimia, bulimic, binge eating, bingeing, binge, binges, binge eating disorder, comfort eating, eat when im upset, ' +
    'emotional eating, overeating, purging, starving myself, making myself sick, wont eat, cant eat, refuses to eat, stopped eating, food, relationship with food, ' +
    'food issues, dieting, diet, body image, hate my body, body dysmorphia, bdd, weight, my weight, losing weight, weight gain, ' +
    'fat, feel fat, arfid, orthorexia, calorie counting, counting calories, restricting food, afraid of food',
  'Alcohol and drugs':
    'alcohol and drugs, alcohol, alcoholic, alcoholism, alcohol problem, drink, drinking, drinking too much, ' +
    'drink too much, drinking problem, drink problem, booze, boozing, bottle of wine, wine every night, sober, ' +
    'getting sober, sobriety, hangovers, drugs, drug, drug use, drug problem, drug addiction, substance abuse, ' +
    'substance misuse, substances, cocaine, coke, weed, cannabis, marijuana, smoking weed, weed habit, drug habit, coke habit, ketamine, heroin, ' +
    'mdma, opioids, painkillers, codeine, smoking, quit smoking, stop smoking, vaping, addiction, addict, addicted, ' +
    'relapse, relapsed, recovery, in recovery, rehab, twelve steps',
  'Gambling and other habits':
    'gambling and other habits, gambling, gamble, gambler, betting, bookies, casino, online casino, ' +
    'gaming, video games, gaming addiction, cant stop gaming, shopping addiction, cant stop shopping, compulsive shopping, ' +
    'compulsive spending, overspending, porn, pornography, porn addiction, sex addiction, sex addict, social media addiction, ' +
    'phone addiction, addicted to my phone, screen time, doomscrolling, habit, habits, bad habits, nail biting, ' +
    'internet addiction, addiction, addicted, addict',
  'Identity and sexuality':
    'identity and sexuality, identity, sexuality, sexual orientation, sexual identity, coming out, come out, gay, lesbian, ' +
    'bi, bisexual, pansexual, asexual, queer, lgbt, lgbtq, lgbtqia, lgbt issues, in the closet, closeted, who i am, ' +
    'who am i, find myself, finding myself, might be gay, questioning my sexuality, am i gay, internalised homophobia, ' +
    'homophobia, polyamory, polyamorous, open relationship',
  'Gender identity':
    'gender identity, transgender, trans, transition my gender, transitioning, trans man, trans woman, gender dysphoria, ' +
    'dysphoria, genderqueer, genderfluid, gender fluid, agender, questioning my gender, my gender, detransition, ' +
    'hrt and transition, enby, gender questioning',
  'Culture and belonging':
    'culture and belonging, culture, cultural, cultural differences, culture clash, culture shock, two cultures, ' +
    'between cultures, between two cultures, belonging, dont belong, out of place, racism, racist, racial trauma, ' +
    'racial, discrimination, discriminated against, islamophobia, antisemitism, immigration, immigrant, immigrants, migrant, ' +
    'migration, refugee, asylum seeker, asylum, expat, homesick, homesickness, missing home, new to the uk, ' +
    'new to this country, moved country, moved to the uk, mixed race, heritage, arranged marriage, forced marriage, ' +
    'religion, religious guilt, leaving religion, religious trauma, left my religion',
  'Long-term illness and pain':
    'long term illness and pain, long term illness, chronic illness, chronic pain, chronic, pain, illness, back pain, ' +
    'migraines, fibromyalgia, fibro, chronic fatigue, chronic fatigue syndrome, cfs, endometriosis, endo, pcos, ' +
    'crohns, colitis, ibs, arthritis, multiple sclerosis, parkinsons, cancer, cancer diagnosis, living with cancer, ' +
    'diagnosed with cancer, chemo, terminal illness, terminal, diabetes, diabetic, lupus, epilepsy, stroke, long covid, ' +
    'covid, tinnitus, disability, disabled, hearing loss, sight loss, heart condition, hiv, hypermobility, ' +
    'brain injury, amputation, dialysis, invisible illness',
  'Caring for somebody':
    'caring for somebody, caring for someone, carer, carers, carer burnout, caring for, caregiver, caregiving, care for my, ' +
    'carer for my mum, carer for my dad, looking after my mum, looking after my dad, looking after mum, looking after dad, ' +
    'looking after my husband, looking after my wife, looking after my parents, looking after elderly parents, ' +
    'elderly parents, ageing parents, elderly mother, elderly father, dementia, alzheimers, mum with dementia, ' +
    'dad with dementia, disabled child, sandwich generation, respite',
  'Relationship difficulties':
    'relationship difficulties, relationship, relationships, relationship problems, relationship issues, ' +
    'relationship trouble, marriage, my marriage, marriage problems, marital, marital problems, arguing, argue, ' +
    'argue all the time, arguments, always arguing, rowing, rows, bickering, fighting all the time, growing apart, ' +
    'drifting apart, drifted apart, communication problems, cant communicate, dont talk anymore, codependent, codependency, ' +
    'attachment, attachment issues, anxious attachment, avoidant attachment, commitment, commitment issues, ' +
    'fear of commitment, dating, love life, cant find love, toxic relationship, toxic relationships, unhappy marriage, ' +
    'loveless marriage, pushing people away, abandonment, abandonment issues, fear of abandonment, long distance, ' +
    'falling out of love, fell out of love, premarital, getting married, jealousy, jealous, girlfriend and i, boyfriend and i',
  'Separation and divorce':
    'separation and divorce, separation, separated, separating, divorce, divorced, divorcing, divorcee, breakup, ' +
    'break up, breaking up, broke up, broken up, split up, splitting up, dumped, got dumped, heartbreak, heartbroken, ' +
    'broken heart, left me, husband left me, wife left me, partner left me, walked out on me, my ex, ex husband, ex wife, ' +
    'ex partner, custody, custody battle, co parenting, ghosted, single again, getting over someone, marriage is over, ' +
    'marriage ended, decree nisi, leaving my husband, leaving my wife, leave my husband, leave my wife',
  'Infidelity and trust':
    'infidelity and trust, infidelity, affair, affairs, an affair, had an affair, cheated, cheated on me, cheating, cheats, ' +
    'cheater, cheated on my wife, cheated on my husband, unfaithful, adultery, betrayed, betrayal, lied to me, lies, ' +
    'trust, trust issues, cant trust, cant trust him, cant trust her, dont trust, sleeping with someone else, ' +
    'seeing someone else, two timing, other woman',
  'Sex and intimacy':
    'sex and intimacy, sex, sexual, sexual problems, sex life, no sex, dont have sex, not having sex, intimacy, intimate, libido, low libido, ' +
    'no libido, loss of libido, sex drive, low sex drive, high sex drive, erectile dysfunction, erection, erections, ' +
    'impotence, premature ejaculation, vaginismus, painful sex, pain during sex, orgasm, sexless, sexless marriage, ' +
    'mismatched libido, psychosexual, performance anxiety, kink, fetish, sexual desire, sexual shame',
  'Family conflict':
    'family conflict, family, family problems, family issues, family arguments, family feud, family fallout, fallen out with, fell out with, ' +
    'falling out with, parents, my parents, siblings, sibling, ' +
    'in laws, mother in law, father in law, toxic family, toxic parents, toxic mother, toxic mum, dysfunctional family, ' +
    'estranged, estranged from my family, estrangement, no contact, stepfamily, step family, blended family, stepchildren, ' +
    'stepkids, stepmum, stepdad, narcissistic mother, narcissistic parents, narcissistic father, controlling parents, ' +
    'difficult parents, inheritance dispute',
  Parenting:
    'parenting, being a parent, being a mum, being a dad, a better mum, a better dad, a better mother, a better father, a better parent, parenthood, single mum, single dad, single parent, motherhood, fatherhood, ' +
    'difficult child, teenager wont talk, school refusal, school refuser, refuses to go to school, refusing to go to school, ' +
    'wont go to school, tantrums, behaviour problems, mum guilt, mum rage, parental guilt, toddler, fostering, foster carer, ' +
    'adoption, adoptive parent, my child has, parent coaching, child behaviour',
  'Pregnancy and new parenthood':
    'pregnancy and new parenthood, pregnancy, pregnant, expecting a baby, perinatal, antenatal, postnatal, postpartum, ' +
    'postnatal depression, postpartum depression, post natal depression, pnd, postnatal anxiety, prenatal, ' +
    'antenatal depression, baby blues, new baby, newborn, had a baby, just had a baby, new mum, new mother, new dad, ' +
    'new father, new parent, becoming a parent, becoming a mum, becoming a dad, miscarriage, miscarriages, lost a baby, ' +
    'lost our baby, lost my baby, losing a baby, baby loss, stillbirth, stillborn, ivf, infertility, infertile, fertility, ' +
    'cant get pregnant, trying for a baby, trying to conceive, abortion, termination, fear of childbirth, tokophobia, ' +
    'breastfeeding, surrogacy',
  'Trauma and PTSD':
    'trauma and ptsd, trauma, traumatic, traumatised, traumatized, traumatic event, ptsd, cptsd, c ptsd, complex ptsd, ' +
    'complex trauma, post traumatic stress, post traumatic stress disorder, flashbacks, flashback, reliving, hypervigilant, ' +
    'hypervigilance, dissociation, dissociating, dissociate, dissociative, veteran, veterans, war, mugged, attacked, ' +
    'robbed, burgled, witnessed, nightmares, shell shock, startle easily, moral injury, bullied, bullying, stalked, ' +
    'stalking, torture, trafficked',
  'Childhood abuse or neglect':
    'childhood abuse or neglect, childhood abuse, child abuse, abused as a child, childhood trauma, ' +
    'childhood neglect, neglect, neglected, neglected as a child, emotional neglect, emotionally neglected, ' +
    'childhood emotional neglect, difficult childhood, bad childhood, unhappy childhood, hard childhood, tough childhood, ' +
    'rough childhood, awful childhood, terrible childhood, horrible childhood, traumatic childhood, childhood was hard, ' +
    'childhood was difficult, childhood was bad, childhood was awful, childhood was horrible, childhood issues, childhood wounds, inner child, ' +
    'adult survivor, csa, childhood sexual abuse, molested, molested as a child, groomed, grooming, ' +
    'mother wound, father wound, alcoholic parents, alcoholic mother, alcoholic father, boarding school survivor, ' +
    'grew up in care, in care as a child, narcissistic mother, narcissistic parents, narcissistic father, ' +
    'beaten as a child, hit as a child',
  'Domestic abuse':
    'domestic abuse, domestic violence, abusive, abusive relationship, abusive husband, abusive wife, ' +
    'abusive partner, abusive boyfriend, abusive ex, abusive girlfriend, abuse, abused, abuser, controlling, controlling husband, ' +
    'controlling partner, controlling boyfriend, coercive control, coercive, gaslighting, gaslit, gaslighted, gaslights me, ' +
    'narcissist, narcissistic, narcissistic abuse, narcissistic ex, narcissistic husband, emotional abuse, ' +
    'emotionally abusive, financial abuse, hits me, hit me, beats me, beat me, violent, violent husband, violent partner, ' +
    'violence, scared of my husband, scared of my partner, scared of my boyfriend, afraid of my husband, scared of him, afraid of him, battered, ' +
    'honour based abuse, partner is violent, husband hits me',
  'Sexual violence':
    'sexual violence, sexual assault, sexually assaulted, sexual abuse, sexually abused, rape, raped, rape survivor, ' +
    'sexual harassment, sexually harassed, harassment, harassed, assault, assaulted, date rape, sexual trauma, groped, ' +
    'stealthing, spiked, drink spiked, survivor of assault, fgm',
  'Accidents and medical trauma':
    'accidents and medical trauma, accident, accidents, car crash, car accident, road accident, road traffic accident, ' +
    'rta, bike accident, work accident, medical trauma, birth trauma, traumatic birth, difficult birth, bad birth, emergency c section, ' +
    'intensive care, icu, after surgery, hospital trauma, heart attack, burns, near death, ' +
    'nicu, premature baby',
  ADHD:
    'adhd, adhd assessment, adhd diagnosis, add diagnosis, attention deficit, attention deficit disorder, ' +
    'attention deficit hyperactivity disorder, hyperactive, hyperactivity, cant focus, cant concentrate, concentration, ' +
    'trouble concentrating, distracted, easily distracted, executive function, executive dysfunction, ' +
    'disorganised, neurodivergent, neurodiverse, neurodivergence, neurodiversity, nd, audhd, impulsive, impulsivity, ' +
    'rejection sensitivity, rsd, adult adhd, adult add, restless, ritalin, time blindness, fidgety',
  Autism:
    'autism, autistic, asd, asc, autism spectrum, on the spectrum, aspergers, asperger, aspie, autism assessment, ' +
    'autism diagnosis, late diagnosed, late diagnosed autism, masking, sensory overload, sensory issues, meltdowns, ' +
    'shutdowns, pda, neurodivergent, neurodiverse, neurodivergence, neurodiversity, nd, audhd, autistic burnout',
  'Bipolar disorder':
    'bipolar disorder, bipolar, bi polar, manic depression, manic depressive, manic, mania, hypomania, hypomanic, ' +
    'cyclothymia, mood swings, highs and lows, ups and downs, mood disorder, lithium, manic episode',
  Psychosis:
    'psychosis, psychotic, hearing voices, hear voices, hear things, hearing things, voices, voices in my head, hallucinations, hallucinating, ' +
    'hallucinate, seeing things, paranoia, paranoid, delusions, delusional, schizophrenia, schizophrenic, schizoaffective, ' +
    'psychotic episode, psychotic break, being followed, people watching me, people are watching me',
  'Medication questions':
    'medication questions, medication, medications, meds, medicine, tablets, pills, antidepressants, anti depressants, ' +
    'antidepressant, ssri, ssris, snri, sertraline, citalopram, fluoxetine, prozac, mirtazapine, venlafaxine, duloxetine, ' +
    'quetiapine, propranolol, diazepam, valium, pregabalin, beta blockers, antipsychotics, side effects, coming off medication, ' +
    'coming off antidepressants, coming off my meds, prescription, prescribe, prescriber, prescribing, can prescribe, ' +
    'who can prescribe, withdrawal, tapering, medicated, change my medication',
}
