import{a,b,c}from"./chunk-FNSRQWP6.js";import"./chunk-5PPCNHIS.js";import"./chunk-D7OEE6YY.js";import"./chunk-SAZCUBKZ.js";export{a as EventList,c as FrontEvents,b as useEvents};
