/**
 * Where the questionnaire on `/find-therapist` can lead to an issue: 0 individual difficulties, 1 problems in a
 * relationship, 2 a traumatic event, 3 medication (spec 2.3).
 */
export type AssistanceCategory = 0 | 1 | 2 | 3

/** An issue that a client may want help with. */
export interface Issue {
  issue_id: number
  issue_name: string
  /** One sentence to the person who has it, as shown beside the name. */
  description: string
  categories: readonly AssistanceCategory[]
}

const issue = (
  issue_id: number,
  issue_name: string,
  description: string,
  ...categories: AssistanceCategory[]
): Issue => ({ issue_id, issue_name, description, categories })

export const issues: readonly Issue[] = [
  issue(
    1,
    'Anxiety',
    'Worry that is hard to switch off, or a body that stays on alert when nothing is wrong.',
    0,
    3,
  ),
  issue(
    2,
    'Depression',
    'Low mood, tiredness or a loss of interest that has lasted for weeks rather than days.',
    0,
    3,
  ),
  issue(3, 'Stress', 'More being asked of you than you can carry, and little time in which to recover.', 0),
  issue(
    4,
    'Panic attacks',
    'Sudden waves of fear with a racing heart, short breath or the sense that something terrible is near.',
    0,
    3,
  ),
  issue(
    5,
    'Social anxiety',
    'Fear of being watched or judged that makes meetings, parties or phone calls hard.',
    0,
  ),
  issue(
    6,
    'Obsessive-compulsive disorder',
    'Thoughts that return unasked, and things you feel you have to do to quieten them.',
    0,
    3,
  ),
  issue(
    7,
    'Phobias',
    'A strong fear of one thing, such as flying, needles or dogs, that shapes what you do.',
    0,
  ),
  issue(
    8,
    'Health anxiety',
    'Being taken up by the fear of an illness, even after tests have found nothing.',
    0,
  ),
  issue(
    9,
    'Sleep problems',
    'Trouble falling asleep, staying asleep or feeling rested, night after night.',
    0,
    3,
  ),
  issue(10, 'Burnout', 'Being worn out and distant from work that once mattered to you.', 0),
  issue(
    11,
    'Work and career',
    'Conflict, pressure, redundancy or a choice about work that keeps you awake.',
    0,
  ),
  issue(12, 'Self-esteem', 'A harsh inner voice, or the feeling of never being quite good enough.', 0),
  issue(
    13,
    'Grief and loss',
    'Living on after somebody has died, or after a loss that others may not see.',
    0,
    2,
  ),
  issue(
    14,
    'Life changes',
    'Moving, retiring, becoming a parent or anything else that turns the days upside down.',
    0,
  ),
  issue(15, 'Loneliness', 'Having too few people to be close to, or feeling alone among those you have.', 0),
  issue(
    16,
    'Anger',
    'Anger that comes too fast or too strongly, or that you never allow yourself to show.',
    0,
    1,
  ),
  issue(
    17,
    'Eating difficulties',
    'Food, weight or your body taking up more of your thoughts than you would like.',
    0,
    3,
  ),
  issue(
    18,
    'Alcohol and drugs',
    'Drinking or using more than you mean to, or wondering whether it has become a problem.',
    0,
    3,
  ),
  issue(
    19,
    'Gambling and other habits',
    'Gambling, gaming, shopping or another habit that has begun to run you.',
    0,
  ),
  issue(
    20,
    'Identity and sexuality',
    'Questions about who you are or whom you love, and about how to live that openly.',
    0,
  ),
  issue(
    21,
    'Gender identity',
    'Room to explore your gender at your own pace, without being pushed in any direction.',
    0,
  ),
  issue(
    22,
    'Culture and belonging',
    'Living between cultures, or with racism, migration or the expectations of two worlds.',
    0,
  ),
  issue(
    23,
    'Long-term illness and pain',
    'Living with an illness or pain that stays, and with what it has changed.',
    0,
  ),
  issue(
    24,
    'Caring for somebody',
    'Looking after a relative or partner, and finding little room left for yourself.',
    0,
    1,
  ),
  issue(
    25,
    'Relationship difficulties',
    'Arguments that repeat, growing distance, or not knowing how to talk to each other any more.',
    1,
  ),
  issue(
    26,
    'Separation and divorce',
    'Deciding whether to part, parting, or finding your feet afterwards.',
    1,
  ),
  issue(
    27,
    'Infidelity and trust',
    'What happens after an affair or a lie, for the one who was hurt and the one who did it.',
    1,
  ),
  issue(28, 'Sex and intimacy', 'Differences in desire, pain, shame or a closeness that has faded.', 1),
  issue(
    29,
    'Family conflict',
    'Tension between parents, children, siblings or in-laws that does not settle by itself.',
    1,
  ),
  issue(30, 'Parenting', 'Worry about a child, or about the kind of parent you are able to be just now.', 1),
  issue(
    31,
    'Pregnancy and new parenthood',
    'Low mood, fear or strain in pregnancy, around a birth or after losing a baby.',
    0,
    1,
    3,
  ),
  issue(
    32,
    'Trauma and PTSD',
    'Memories, nightmares or a constant watchfulness after something that was too much.',
    2,
    3,
  ),
  issue(
    33,
    'Childhood abuse or neglect',
    'What was done to you, or missing, when you were young and still makes itself felt.',
    2,
  ),
  issue(
    34,
    'Domestic abuse',
    'Being controlled, frightened or hurt by a partner or a relative, now or in the past.',
    1,
    2,
  ),
  issue(
    35,
    'Sexual violence',
    'The time after an assault or harassment, whenever it happened and whomever you have told.',
    2,
  ),
  issue(
    36,
    'Accidents and medical trauma',
    'A crash, a difficult birth, an operation or an intensive-care stay that will not let go.',
    2,
  ),
  issue(
    37,
    'ADHD',
    'Difficulty with focus, restlessness or organising that has been there since you were young.',
    0,
    3,
  ),
  issue(
    38,
    'Autism',
    'Living as an autistic person in a world built for others, with or without a diagnosis.',
    0,
  ),
  issue(
    39,
    'Bipolar disorder',
    'Swings between very high and very low moods, and living steadily with them.',
    3,
  ),
  issue(
    40,
    'Psychosis',
    'Hearing, seeing or believing things that others do not, and making sense of that safely.',
    3,
  ),
  issue(
    41,
    'Medication questions',
    'Starting, changing or coming off medicine for your mental health, or asking whether you need it.',
    3,
  ),
]
