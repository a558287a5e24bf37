/** What people call a language, or who speaks it, by its name in the reference list; see `issueWords`. */
export const languageWords: Readonly<Record<string, string>> = {
  English: 'english, native english, english speaker',
  Welsh: 'welsh, cymraeg, first language welsh',
  'Scottish Gaelic': 'scottish gaelic, gaelic, scots gaelic, gaidhlig',
  Irish: 'irish, irish gaelic, gaeilge, irish language',
  'British Sign Language (BSL)':
    'british sign language, bsl, sign language, deaf, sign language user, deaf aware, deaf friendly, signs bsl',
  Polish: 'polish, polski, polska, po polsku',
  Romanian: 'romanian, moldovan, romana',
  Punjabi: 'punjabi, panjabi',
  Urdu: 'urdu',
  Bengali: 'bengali, bangla, bangladeshi, sylheti',
  Gujarati: 'gujarati, gujerati',
  Hindi: 'hindi, indian language, hindustani',
  Tamil: 'tamil',
  Telugu: 'telugu',
  Malayalam: 'malayalam, malayali',
  Marathi: 'marathi',
  Sinhala: 'sinhala, sinhalese, singhalese',
  Nepali: 'nepali, nepalese',
  Arabic: 'arabic, arabic speaker',
  Persian: 'persian, farsi, iranian',
  Dari: 'dari, afghan',
  Pashto: 'pashto, pashtun, pushto, afghan',
  Kurdish: 'kurdish, kurmanji, sorani',
  Turkish: 'turkish, turk, turkce',
  Hebrew: 'hebrew, ivrit',
  Yiddish: 'yiddish',
  Portuguese: 'portuguese, brazilian, brasilian, brazilian portuguese, portugues',
  Spanish: 'spanish, castilian, espanol, en espanol',
  French: 'french, francais, francophone, en francais',
  Italian: 'italian, italiano',
  German: 'german, deutsch, auf deutsch',
  Dutch: 'dutch, flemish, nederlands',
  Swedish: 'swedish, svenska',
  Danish: 'danish, dansk',
  Norwegian: 'norwegian, norsk',
  Finnish: 'finnish, suomi',
  Greek: 'greek, greek cypriot',
  Bulgarian: 'bulgarian',
  Hungarian: 'hungarian, magyar',
  Czech: 'czech, cesky',
  Slovak: 'slovak, slovakian',
  Lithuanian: 'lithuanian, lietuviu',
  Latvian: 'latvian',
  Ukrainian: 'ukrainian, ukrainian refugee',
  Russian: 'russian, russki',
  Albanian: 'albanian, shqip, kosovan',
  Croatian: 'croatian, serbo croatian, bosnian',
  Serbian: 'serbian, serbo croatian, bosnian',
  Cantonese: 'cantonese, chinese, hong kong',
  Mandarin: 'mandarin, chinese, putonghua, taiwanese',
  Japanese: 'japanese, nihongo',
  Korean: 'korean, hangul',
  Vietnamese: 'vietnamese',
  Thai: 'thai',
  Tagalog: 'tagalog, filipino, filipina, philippine',
  Malay: 'malay, malaysian, bahasa',
  Somali: 'somali, somalian',
  Amharic: 'amharic, ethiopian',
  Tigrinya: 'tigrinya, eritrean',
  Swahili: 'swahili, kiswahili',
  Yoruba: 'yoruba',
  Igbo: 'igbo, ibo',
  Hausa: 'hausa',
  Twi: 'twi, akan, ghanaian, fante',
  Shona: 'shona',
  Zulu: 'zulu, isizulu',
  Afrikaans: 'afrikaans',
}

/** What people call an insurer. */
export const insurerWords: Readonly<Record<string, string>> = {
  Bupa: 'bupa, bupa health, bupa insurance',
  'AXA Health': 'axa health, axa, axa ppp, axa ppp healthcare, axa insurance',
  Aviva: 'aviva, aviva health',
  Vitality: 'vitality, vitality health, vitalityhealth, pru health, pruhealth',
  WPA: 'wpa, western provident',
  'Cigna Healthcare': 'cigna healthcare, cigna',
  'Allianz Care': 'allianz care, allianz',
  Healix: 'healix',
  'The Exeter': 'the exeter, exeter friendly, exeter insurance, exeter health',
  Simplyhealth: 'simplyhealth, simply health',
  'Freedom Health Insurance': 'freedom health insurance, freedom health, freedom insurance',
  'National Friendly': 'national friendly',
  'Benenden Health': 'benenden health, benenden',
  Saga: 'saga, saga health, saga insurance',
  'Health Shield': 'health shield, healthshield',
  Medicash: 'medicash',
  'Westfield Health': 'westfield health, westfield',
  'Aetna International': 'aetna international, aetna',
  'Now Health International': 'now health international',
  'CS Healthcare': 'cs healthcare, civil service healthcare, civil service health',
}

/** What leaves no doubt about the practitioner's gender. */
export const genderWords: Readonly<Record<string, string>> = {
  Female:
    'female therapist, female counsellor, female psychologist, female psychiatrist, female practitioner, ' +
    'woman therapist, woman counsellor, lady therapist, women therapists, female only, women only, woman only, females only',
  Male: 'male therapist, male counsellor, male psychologist, male psychiatrist, male practitioner, man therapist, male only, men only',
  'Non-binary': 'non binary, nonbinary, enby therapist, gender non conforming, nb',
}

/** Of the practitioner, unless the client speaks of themselves or of others: "I am a woman", "another man". */
export const possibleGenderWords: Readonly<Record<string, string>> = {
  Female: 'female, woman, lady, women, ladies, females, she',
  Male: 'male, man, bloke, guy, gentleman, men, blokes, males, chap, fella, he',
}

export const pronounWords: Readonly<Record<string, string>> = {
  'she/her': 'she her, she her hers',
  'he/him': 'he him, he him his',
  'they/them': 'they them, they them theirs',
  'she/they': 'she they, she her they them',
  'he/they': 'he they, he him they them',
}

export const formatWords: Readonly<Record<string, string>> = {
  online:
    'online, on line, online only, only online, online sessions, online session, online therapy, video, video call, ' +
    'video calls, by video, over video, video session, video chat, zoom, on zoom, over zoom, via zoom, skype, facetime, ' +
    'ms teams, microsoft teams, google meet, remote, remotely, remote sessions, virtual, virtually, from home, ' +
    'from my sofa, from my own home, webcam, over the internet, teletherapy, e therapy',
  face_to_face:
    'face to face, face to face only, facetoface, f2f, ftf, in person, in person only, inperson, in the room, in real life, ' +
    'irl, same room, in the same room, in the flesh, at their office, at a clinic, in a clinic, in an office, ' +
    'in their office, not over a screen, not on a screen, no screens',
}

/** Asks for either format, which is no filter. */
export const anyFormat =
  'online or face to face, face to face or online, online or in person, in person or online, either online or in person, ' +
  'either online or face to face, online and face to face, online and in person, either is fine, dont mind either way, ' +
  'dont mind if online, online or f2f'

/** Recognised wishes that no filter stands for; each is named as not used in one piece. */
export const withoutFilter =
  'lgbt friendly, lgbtq friendly, gay friendly, queer friendly, trans friendly, kink friendly, lgbt affirming, lgbtq affirming, ' +
  'queer affirming, sliding scale, low cost, low fee, low price, low income, reduced fee, after work, before work, after school, ' +
  'during the day, late at night, out of hours, out of office hours, early morning, early mornings, late evening, ' +
  'lunch time, school hours, near me, near where i live, nearby, close to me, close by, local to me, round here, ' +
  'walking distance, over the phone, by phone, on the phone, by text, by message, by email, wheelchair access, ' +
  'wheelchair accessible, step free access, life coach, life coaching, male or female, female or male, ' +
  'as often as possible, twice a week, once a week, every week, every two weeks, every fortnight, once a month, ' +
  'trauma informed, neurodiversity affirming, next month, end of the month, weekday, weekdays, week days, ' +
  'group therapy, group work, support group, equine therapy, drama therapy, music therapy, play therapy, walk and talk, ' +
  'english is not good, english isnt good, english is not very good, english isnt very good, english is bad, english is poor, ' +
  'poor english, bad english, little english, english is not my first language, english isnt my first language, ' +
  'self help, drop in, home visit, home visits, lived experience'

/** Names in use for towns that are listed under another one. */
export const otherTownNames =
  'hull, londonderry, stoke, southend, tunbridge wells, kings lynn, brum, kingston, berwick, burton on trent, grimsby'
