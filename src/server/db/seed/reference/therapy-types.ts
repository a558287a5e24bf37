import { fits } from './guided-search/fits.ts'

/** A way of working, called "approach" in the practitioner's own forms. */
export interface TherapyType {
  therapy_type_id: number
  therapy_type_name: string
  /** Two to four plain sentences for a client who has never heard of it. */
  therapy_type_description: string
  /** Path of its picture on this server. */
  image: string
  /** Why it suits the client's answers: the second half of the sentence that explains a recommendation. */
  fits: string
}

const therapyType = (id: number, name: string, slug: string, description: string): TherapyType => ({
  therapy_type_id: id,
  therapy_type_name: name,
  therapy_type_description: description,
  image: `/illustrations/therapy/${slug}.svg`,
  fits: fits[id] ?? '',
})

export const therapyTypes: readonly TherapyType[] = [
  therapyType(
    1,
    'Cognitive behavioural therapy (CBT)',
    'cbt',
    'CBT looks at how thoughts, feelings, the body and what you do affect each other, here and now. You and the therapist agree on something to change, try small experiments between sessions and look at what happened. It is structured and usually lasts 6 to 20 sessions.',
  ),
  therapyType(
    2,
    'Acceptance and commitment therapy (ACT)',
    'act',
    'ACT is about making room for difficult thoughts and feelings instead of fighting them. You work out what matters to you and take steps in that direction, even while the discomfort is there. Sessions often include short exercises in noticing what is going on.',
  ),
  therapyType(
    3,
    'Dialectical behaviour therapy (DBT)',
    'dbt',
    'DBT is for people whose feelings come quickly and strongly. It teaches skills in four areas: noticing, getting through a crisis, steadying emotions and asking for what you need. It holds two things together: accepting yourself as you are and working on change.',
  ),
  therapyType(
    4,
    'Eye movement desensitisation and reprocessing (EMDR)',
    'emdr',
    'EMDR is used for memories of events that still feel as if they were happening now. You recall part of the memory for short moments while following the therapist’s hand, a light or a tap from side to side. You stay in charge and can stop at any time, and you need not describe everything.',
  ),
  therapyType(
    5,
    'Psychodynamic therapy',
    'psychodynamic',
    'Psychodynamic therapy is interested in what lies beneath: patterns that began early in life and repeat without our noticing. You speak freely, and the two of you look at what comes up, also between you and the therapist. It tends to be open-ended and to take its time.',
  ),
  therapyType(
    6,
    'Person-centred therapy',
    'person-centred',
    'In person-centred therapy you choose what to talk about and how fast to go. The therapist listens closely, does not judge and does not give instructions. The idea behind it is that people find their own way when they feel understood.',
  ),
  therapyType(
    7,
    'Integrative therapy',
    'integrative',
    'An integrative therapist draws on several schools and fits them to you. One session may look at your past, another at next week. You are asked regularly whether it is helping.',
  ),
  therapyType(
    8,
    'Emotionally focused couples therapy',
    'couples',
    'This is therapy for two people who want to understand the pattern that they get caught in. The therapist slows an argument down, so that each of you can say what is underneath it. Sessions are usually with both partners, now and then with one.',
  ),
  therapyType(
    9,
    'Family and systemic therapy',
    'systemic',
    'Systemic therapy sees a difficulty as something between people rather than inside one of them. Family members, or whoever matters to you, may join for all or some sessions. The therapist asks questions that help everyone to hear how the others see it.',
  ),
  therapyType(
    10,
    'Compassion-focused therapy (CFT)',
    'compassion',
    'CFT is for people who are hard on themselves or carry a lot of shame. It explains why our minds are so quick to see threats, and practises a kinder and steadier inner voice. Exercises with breathing, images and letters are part of it.',
  ),
  therapyType(
    11,
    'Mindfulness-based cognitive therapy (MBCT)',
    'mindfulness',
    'MBCT combines short meditations with ideas from CBT. You practise noticing thoughts as thoughts, without having to follow each of them. It was developed for people who have been depressed more than once, and asks for some practice at home.',
  ),
  therapyType(
    12,
    'Schema therapy',
    'schema',
    'Schema therapy looks for lifelong themes, such as expecting to be left or never being good enough, and where they were learned. It works with thoughts, memories and imagery, and with what happens in the room. It is usually longer than CBT.',
  ),
  therapyType(
    13,
    'Interpersonal therapy (IPT)',
    'interpersonal',
    'IPT connects low mood with what is going on between you and others: a loss, a conflict, a change of role or being alone. You choose one of these to work on for around 12 to 16 sessions. It is practical and has a clear beginning, middle and end.',
  ),
  therapyType(
    14,
    'Solution-focused brief therapy',
    'solution-focused',
    'Solution-focused therapy spends little time on how the problem began. It asks what a better week would look like, when things already go a little better, and what the next small step could be. Often it takes only a handful of sessions.',
  ),
  therapyType(
    15,
    'Art therapy',
    'art',
    'In art therapy you use paint, clay, collage or whatever is at hand to show what is hard to put into words. No skill is needed and nothing is marked. You and the therapist look at what was made and talk about as much of it as you like.',
  ),
  therapyType(
    16,
    'Trauma-focused CBT',
    'trauma-focused-cbt',
    'Trauma-focused CBT begins with feeling safe and with ways to steady yourself. Then, in steps that you agree on, you go back to the memory, look at what it has made you believe and take back places and things you have been avoiding. The pace is yours.',
  ),
  therapyType(
    17,
    'Cognitive analytic therapy (CAT)',
    'cat',
    'CAT looks at how you learned to relate to others and to yourself, and draws a map of where that leads today. The therapist writes you a letter early on and another at the end. It usually lasts 16 or 24 sessions.',
  ),
  therapyType(
    18,
    'Psychiatric assessment and medication review',
    'medication',
    'A psychiatrist, who is a medical doctor, asks about your health, your history and your life now, and tells you what they think may be going on. If medicine is an option, you talk through what it does, its side effects and the alternatives. Reviews follow how it goes, and your GP can be kept informed if you agree.',
  ),
  therapyType(
    19,
    'Existential therapy',
    'existential',
    'Existential therapy takes the large questions seriously: freedom, meaning, being alone, the fact that life ends. It looks at how you live with them, not at symptoms. Conversations are open, and the therapist thinks along with you as an equal.',
  ),
  therapyType(
    20,
    'Gestalt therapy',
    'gestalt',
    'Gestalt therapy pays attention to what happens in the moment: your voice, your posture, what you notice and what you hold back. The therapist may suggest an experiment, such as speaking to an empty chair. You decide whether to try it.',
  ),
]
