-- Where is one product in use, in which release cycles? Replace nodejs by the slug of another product.
--
-- cycle | outcome | team     | file                | version
-- 16    | fail    | payments | payments/a.cdx.json | 16.20.0
SELECT cycle, outcome, team, file, version
FROM findings JOIN last_day USING (day)
WHERE product = 'nodejs'
ORDER BY cycle, team, file, pointer;
