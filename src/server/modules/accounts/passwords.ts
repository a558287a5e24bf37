import argon2 from 'argon2'

/** What Argon2id spends on a hash: memory in KiB, and passes over it. */
export type PasswordCost = { memoryCost: number; timeCost: number }

/** OWASP's second recommended setting for Argon2id: 19 MiB and two passes, with one lane. */
const recommendedCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 }

/** Argon2id in the PHC string format. */
export function hashPassword(password: string, cost = recommendedCost): Promise<string> {
  return argon2.hash(password.normalize('NFKC'), { type: argon2.argon2id, ...cost, parallelism: 1 })
}

export type Passwords = ReturnType<typeof createPasswords>

/** Hashes and verifies passwords. A hash is verified at the cost that it was made with. */
export function createPasswords(cost = recommendedCost) {
  let decoy: Promise<string> | undefined
  return {
    hash: (password: string): Promise<string> => hashPassword(password, cost),

    /**
     * Whether the password is right. Without a hash (no such account, or one that signs in elsewhere) it takes the same
     * time and returns false, so that the time tells nothing.
     */
    async verify(hash: string | null | undefined, password: string): Promise<boolean> {
      decoy ??= hashPassword('a password that nobody has', cost)
      const right = await argon2.verify(hash ?? (await decoy), password.normalize('NFKC'))
      return right && hash != null
    },
  }
}

/** The most used passwords of eight characters and more in public breach statistics, and this product's own name. */
const common = new Set(
  `password password1 password12 password123 password1234 passw0rd p@ssword p@ssw0rd password! password1! passwords
  12345678 123456789 1234567890 12345678910 123123123 1234512345 11111111 111111111 1111111111 00000000 000000000
  88888888 99999999 87654321 987654321 9876543210 12341234 11223344 1122334455 11112222 12121212 123321123 147258369
  159753456 789456123 741852963 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc qazwsxedc qwertyui qwertyuiop
  qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 asdfghjk asdfghjkl asdf1234 zxcvbnm1 zxcvbnm123 abcd1234
  abcdefgh abcdefghi abc12345 abc123456 a1234567 a12345678 a123456789 aa123456 aa12345678 q1w2e3r4 q1w2e3r4t5
  iloveyou iloveyou1 iloveyou2 ilovehim lovelove princess princess1 sunshine sunshine1 football football1 baseball
  baseball1 superman superman1 batman123 spiderman starwars pokemon1 charlie1 michael1 jennifer jordan23 michelle
  liverpool liverpool1 chelsea1 arsenal1 manchester rangers1 everton1 tottenham trustno1 whatever letmein1 letmein123
  welcome1 welcome12 welcome123 admin123 admin1234 administrator changeme changeme1 computer internet samsung1 google123
  facebook dragon12 dragon123 shadow12 monkey12 monkey123 master12 master123 killer12 freedom1 flower12 hello123
  hello1234 secret123 summer123 winter123 london123 england1 cheese123 chocolate chocolate1 butterfly elephant
  elizabeth alexander christopher nicholas anthony1 william1 thomas12 matthew1 jessica1 ashley12 hannah12 bailey12
  blink182 metallica1 corvette mustang1 ferrari1 mercedes porsche1 security security1 access14 test1234 testtest
  test12345 user1234 guest123 default1 temp1234 pa55word pa55w0rd passpass pass1234 pass12345 mypassword yourpassword
  thepassword nopassword letmeinn openopen qweasdzxc qweqweqwe asdasdasd zaq12wsx zaq1zaq1 1234qwer 1234abcd 123qweasd
  123qwe123 qwe12345 asd12345 zxc12345 aaaaaaaa hearth12 hearth123 hearthhearth therapist therapist1 therapy1`.split(
    /\s+/,
  ),
)

/** Whether it is one of those that are tried first. */
export function isCommonPassword(password: string): boolean {
  const folded = password.normalize('NFKC').toLowerCase()
  return common.has(folded) || /^(.)\1+$/u.test(folded)
}
